"""Unusual: packs a list of slices; the padding never enters."""

import torch
from torch.nn.utils.rnn import pack_sequence, pad_packed_sequence


def encode_packed(lstm, x, lengths):
    sizes = lengths.tolist() if isinstance(lengths, torch.Tensor) else list(lengths)
    for n in sizes:
        if not 0 < n <= x.size(1):
            raise ValueError(f"bad length {n}")
    rows = [x[i, :n] for i, n in enumerate(sizes)]
    out, hidden = lstm(pack_sequence(rows, enforce_sorted=False))
    out, _ = pad_packed_sequence(out, batch_first=True, total_length=x.size(1))
    return out, hidden


def last_hidden(h_n, bidirectional=False):
    layers = h_n.unbind(0)
    return torch.cat(layers[-2:], dim=1) if bidirectional else layers[-1]
