"""pack_sequence of slices, unpacked row by row; a named tuple comes back."""
from typing import NamedTuple

import torch
from torch.nn.utils.rnn import pack_sequence, pad_sequence, unpack_sequence


class State(NamedTuple):
    h_n: torch.Tensor
    c_n: torch.Tensor


class Encoded(NamedTuple):
    output: torch.Tensor
    state: State


def encode_packed(lstm, x, lengths):
    steps = x.shape[1]
    lengths = list(map(int, lengths))
    if any(n not in range(1, steps + 1) for n in lengths):
        raise ValueError(lengths)
    packed = pack_sequence([r[:n] for r, n in zip(x, lengths)], enforce_sorted=False)
    out, state = lstm(packed)
    rows = unpack_sequence(out)
    filler = rows[0].new_empty(steps, rows[0].shape[-1])  # only lends its length
    output = pad_sequence([filler, *rows], batch_first=True)[1:]
    return Encoded(output, State(*state))


def last_hidden(h_n, bidirectional=False):
    k = 2 if bidirectional else 1
    return torch.cat(list(h_n[-k:]), dim=-1)
