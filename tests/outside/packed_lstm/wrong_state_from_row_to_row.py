"""Rows run alone, but each starts with the state of the one before."""

import torch
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


def encode_packed(lstm, x, lengths):
    T = x.shape[1]
    n = [int(v) for v in lengths]
    if min(n) < 1 or max(n) > T:
        raise ValueError("lengths must lie in 1..T")
    outs, hs, cs, state = [], [], [], None
    for row, m in zip(x, n):
        out, state = lstm(row[None, :m], state)
        outs.append(torch.nn.functional.pad(out, (0, 0, 0, T - m)))
        hs.append(state[0])
        cs.append(state[1])
    return torch.cat(outs), (torch.cat(hs, 1), torch.cat(cs, 1))


def last_hidden(h_n, bidirectional=False):
    if bidirectional:
        return torch.cat([h_n[-2], h_n[-1]], -1)
    return h_n[-1]
