"""Rows of one length run together, unpadded; results are copied into place."""

import numpy as np
import torch


def encode_packed(lstm, x, lengths):
    ls = np.asarray([int(n) for n in lengths])
    B, T, _ = x.shape
    if ls.min() <= 0 or ls.max() > T:
        raise ValueError(f"bad lengths: {ls}")
    where, outs, hs, cs = [], [], [], []
    for n in np.unique(ls):
        rows = torch.from_numpy(np.flatnonzero(ls == n))
        o, (h, c) = lstm(x[rows, :n])
        pad = torch.zeros(len(rows), T - n, o.shape[-1], dtype=o.dtype)
        outs.append(torch.cat([o, pad], 1))
        hs.append(h)
        cs.append(c)
        where.append(rows)
    back = torch.argsort(torch.cat(where))
    return torch.cat(outs)[back], (torch.cat(hs, 1)[:, back], torch.cat(cs, 1)[:, back])


def last_hidden(h_n, bidirectional=False):
    dirs = 1 + bidirectional
    top = h_n.view(-1, dirs, *h_n.shape[1:])[-1]
    return top.transpose(0, 1).flatten(1)
