"""Runs the LSTM over the padding and returns what comes out."""

import torch


def encode_packed(lstm, x, lengths):
    T = x.size(1)
    lengths = torch.as_tensor(lengths, dtype=torch.int64, device="cpu")
    if int(lengths.min()) < 1 or int(lengths.max()) > T:
        raise ValueError("lengths must be in 1..T")
    return lstm(x)


def last_hidden(h_n, bidirectional=False):
    if bidirectional:
        return torch.cat([h_n[-2], h_n[-1]], dim=-1)
    return h_n[-1]
