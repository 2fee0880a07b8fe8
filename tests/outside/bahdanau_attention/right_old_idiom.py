# -*- coding: utf-8 -*-
# 旧写法：super 带参数、Variable、expand、bmm、torch.cat 之后一次乘完
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.autograd import Variable


class BahdanauAttention(nn.Module):

    def __init__(self, query_dim, key_dim, attn_dim):
        super(BahdanauAttention, self).__init__()
        self.v = nn.Linear(attn_dim, 1, bias=False)
        self.W_key = nn.Linear(key_dim, attn_dim, bias=False)
        self.W_query = nn.Linear(query_dim, attn_dim, bias=False)
        for p in self.parameters():
            nn.init.xavier_uniform_(p)

    def forward(self, query, keys, mask=None):
        B = keys.size(0); T = keys.size(1)
        q = query.unsqueeze(1).expand(B, T, query.size(1))
        W = torch.cat([self.W_query.weight, self.W_key.weight], 1)
        e = F.linear(torch.cat([q, keys], 2), W)          # [B, T, Da]
        s = torch.bmm(torch.tanh(e), self.v.weight.t().unsqueeze(0).expand(B, -1, 1))
        s = s.view(B, T)
        if mask is not None:
            pad = Variable(torch.zeros(B, T).type_as(s))
            pad[mask] = -1e9
            s = s + pad
        a = F.softmax(s, dim=1)
        return torch.bmm(a.view(B, 1, T), keys).view(B, -1), a
