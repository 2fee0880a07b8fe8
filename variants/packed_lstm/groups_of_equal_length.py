"""Unusual: runs rows of the same length together, without packing."""

import torch


def encode_packed(lstm, x, lengths):
    lengths = torch.as_tensor(lengths, dtype=torch.long)
    B, T = x.shape[:2]
    if bool((lengths < 1).any() or (lengths > T).any()):
        raise ValueError(lengths)
    parts, order = [], []
    for n in lengths.unique().tolist():
        rows = torch.nonzero(lengths == n).flatten()
        out, (h, c) = lstm(x[rows, :n])
        out = torch.cat([out, out.new_zeros(len(rows), T - n, out.size(2))], 1)
        parts.append((out, h.transpose(0, 1), c.transpose(0, 1)))
        order.append(rows)
    back = torch.cat(order).argsort()
    out, h, c = (torch.cat(p)[back] for p in zip(*parts))
    return out, (h.transpose(0, 1), c.transpose(0, 1))


def last_hidden(h_n, bidirectional=False):
    rows = [-2, -1] if bidirectional else [-1]
    return torch.cat([h_n[r] for r in rows], dim=-1)
