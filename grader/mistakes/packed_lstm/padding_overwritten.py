"""Clears the padding in the caller's own tensor."""

import torch
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


def encode_packed(lstm, x, lengths):
    T = x.size(1)
    lengths = torch.as_tensor(lengths, dtype=torch.int64, device="cpu")
    if int(lengths.min()) < 1 or int(lengths.max()) > T:
        raise ValueError("lengths must be in 1..T")
    for row, n in enumerate(lengths.tolist()):
        x.data[row, n:] = 0.0
    packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
    output, state = lstm(packed)
    output, _ = pad_packed_sequence(output, batch_first=True, total_length=T)
    return output, state


def last_hidden(h_n, bidirectional=False):
    if bidirectional:
        return torch.cat([h_n[-2], h_n[-1]], dim=-1)
    return h_n[-1]
