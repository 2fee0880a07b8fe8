"""Unusual: no packing at all, every row is run alone, in lists."""

import torch


def encode_packed(lstm, x, lengths):
    B, T, _ = x.shape
    lengths = [int(n) for n in lengths]
    if min(lengths) < 1 or max(lengths) > T:
        raise ValueError(f"every length must be in 1..{T}")
    outputs, hs, cs = [], [], []
    for b in range(B):
        out, (h, c) = lstm(x[b, : lengths[b]].unsqueeze(0))
        rest = out.new_zeros(1, T - lengths[b], out.size(-1))
        outputs.append(torch.cat([out, rest], dim=1))
        hs.append(h)
        cs.append(c)
    return [torch.cat(outputs, 0), [torch.cat(hs, 1), torch.cat(cs, 1)]]


def last_hidden(h_n, bidirectional=False):
    if not bidirectional:
        return h_n[-1]
    return torch.hstack((h_n[-2], h_n[-1]))
