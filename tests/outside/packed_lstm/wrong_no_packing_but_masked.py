"""Padding is zeroed, run through, and masked after; the state is not each row's own."""

import torch
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


def encode_packed(lstm, x, lengths):
    T = x.shape[1]
    n = torch.as_tensor(lengths).to("cpu", torch.int64)
    if n.min() < 1 or n.max() > T:
        raise ValueError("lengths must lie in 1..T")
    inside = (torch.arange(T) < n[:, None]).unsqueeze(-1)
    out, (h, c) = lstm(torch.where(inside, x, 0.0))
    out = torch.where(inside, out, 0.0)
    if not lstm.bidirectional:
        top = out[torch.arange(len(n)), n - 1]
        h = torch.cat([h[:-1], top[None]])
    return out, (h, c)


def last_hidden(h_n, bidirectional=False):
    if bidirectional:
        return torch.cat([h_n[-2], h_n[-1]], -1)
    return h_n[-1]
