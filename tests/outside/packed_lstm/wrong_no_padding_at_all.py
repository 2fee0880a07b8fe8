"""The padding is joined for a look at it; a batch may have none to join."""

import torch
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


def encode_packed(lstm, x, lengths):
    T = x.shape[1]
    n = torch.as_tensor(lengths).cpu().long()
    if n.min() < 1 or n.max() > T:
        raise ValueError(f"lengths are from 1 to {T}")
    if len(n) > 1 and T > 1:
        pad = torch.cat([x[i, k:] for i, k in enumerate(n.tolist()) if k < T])
        x = torch.where(x.isnan(), torch.zeros_like(x), x) if pad.isnan().any() else x
    packed = pack_padded_sequence(x, n, batch_first=True, enforce_sorted=False)
    out, state = lstm(packed)
    return pad_packed_sequence(out, batch_first=True, total_length=T)[0], state


def last_hidden(h_n, bidirectional=False):
    return torch.cat((h_n[-2], h_n[-1]), 1) if bidirectional else h_n[-1]
