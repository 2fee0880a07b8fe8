"""The layers stand in a ModuleList as well, for the init loop; the fill is a buffer of the module."""
import torch
from torch import nn


class BahdanauAttention(nn.Module):
    def __init__(self, query_dim, key_dim, attn_dim):
        super().__init__()
        self.W_query = nn.Linear(query_dim, attn_dim, bias=False)
        self.W_key = nn.Linear(key_dim, attn_dim, bias=False)
        self.v = nn.Linear(attn_dim, 1, bias=False)
        self.layers = nn.ModuleList([self.W_query, self.W_key, self.v])
        for layer in self.layers:
            nn.init.xavier_normal_(layer.weight)
        self.register_buffer("fill", torch.tensor(-1e9))

    def forward(self, query, keys, mask):
        h = torch.tanh(self.W_query(query).unsqueeze(1) + self.W_key(keys))
        s = self.v(h).squeeze(2)
        if mask is not None:
            s = torch.where(mask, self.fill, s)
        w = torch.softmax(s, dim=1)
        return torch.matmul(w.unsqueeze(1), keys).squeeze(1), w
