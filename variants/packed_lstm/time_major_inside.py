"""Unusual: packs time first and unpacks time first, with transposes."""

import torch
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


def encode_packed(lstm, x, lengths):
    lengths = torch.as_tensor(lengths)
    low, high = int(lengths.min()), int(lengths.max())
    if low < 1:
        raise ValueError("length below 1")
    elif high > x.shape[1]:
        raise ValueError("length above T")
    packed = pack_padded_sequence(
        x.transpose(0, 1), lengths.to(torch.int64).cpu(), enforce_sorted=False
    )
    out, state = lstm(packed)
    out = pad_packed_sequence(out, total_length=x.shape[1])[0]
    return out.transpose(0, 1), state


def last_hidden(h_n, bidirectional=False):
    return torch.cat((h_n[-2], h_n[-1]), 1) if bidirectional else h_n[-1, :, :]
