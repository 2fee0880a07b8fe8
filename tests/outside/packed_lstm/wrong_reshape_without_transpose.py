"""Both directions by reshape alone: samples change places unless B is 1."""

import torch
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


def encode_packed(lstm, x, lengths):
    T = x.shape[1]
    n = torch.as_tensor(lengths).to("cpu", torch.int64)
    if n.min() < 1 or n.max() > T:
        raise ValueError("lengths must lie in 1..T")
    packed = pack_padded_sequence(x, n, batch_first=True, enforce_sorted=False)
    out, state = lstm(packed)
    out, _ = pad_packed_sequence(out, batch_first=True, total_length=T)
    return out, state


def last_hidden(h_n, bidirectional=False):
    if not bidirectional:
        return h_n[-1]
    B, H = h_n.shape[1:]
    return h_n[-2:].reshape(B, 2 * H)
