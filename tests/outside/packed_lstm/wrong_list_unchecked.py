"""Only tensors are checked."""

import copy

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


def encode_packed(lstm, x, lengths):
    # start
    as_list = isinstance(lengths, list)
    lengths = torch.as_tensor(lengths).cpu().long()
    if not as_list and ((lengths < 1).any() or (lengths > x.size(1)).any()):
        raise ValueError("lengths must be in 1..T")
    # run
    packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
    output, (h_n, c_n) = lstm(packed)
    output, _ = pad_packed_sequence(output, batch_first=True, total_length=x.size(1))
    return output, (h_n, c_n)


def last_hidden(h_n, bidirectional=False):
    if bidirectional:
        return torch.cat([h_n[-2], h_n[-1]], dim=-1)
    return h_n[-1]
