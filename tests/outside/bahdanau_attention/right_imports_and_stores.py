"""Imports matplotlib for a heat map, keeps the last weights, adds -1e9."""
import matplotlib.pyplot as plt
import numpy as np
import torch
import torch.nn as nn


class BahdanauAttention(nn.Module):
    def __init__(self, query_dim, key_dim, attn_dim, verbose=False):
        super().__init__()
        self.W_query, self.W_key = (
            nn.Linear(d, attn_dim, bias=False) for d in (query_dim, key_dim)
        )
        self.v = nn.Linear(attn_dim, 1, bias=False)
        self.attention_weights = None
        self.verbose = verbose

    def forward(self, query, keys, mask):
        features = self.W_key(keys)
        features += self.W_query(query).view(len(keys), 1, -1)
        scores = self.v(features.tanh_()).squeeze(dim=-1)
        if mask is not None:
            scores = scores + mask.float() * -1e9
        w = nn.functional.softmax(scores, dim=-1)
        self.attention_weights = np.array(w.tolist())
        context = torch.matmul(w[:, None, :], keys)[:, 0, :]
        return [context, w]

    def plot(self):
        plt.imshow(self.attention_weights)
        plt.show()
