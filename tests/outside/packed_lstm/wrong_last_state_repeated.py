"""Past a row's length its last state stands instead of 0."""

import torch
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


def encode_packed(lstm, x, lengths):
    T = x.shape[1]
    n = torch.as_tensor(lengths).to("cpu", torch.int64)
    if n.min() < 1 or n.max() > T:
        raise ValueError("lengths must lie in 1..T")
    packed = pack_padded_sequence(x, n, batch_first=True, enforce_sorted=False)
    out, (h, c) = lstm(packed)
    out, _ = pad_packed_sequence(out, batch_first=True, total_length=T)
    last = torch.minimum(torch.arange(T), n[:, None] - 1)
    out = out.gather(1, last[..., None].expand_as(out))
    return out, (h, c)


def last_hidden(h_n, bidirectional=False):
    if bidirectional:
        return torch.cat([h_n[-2], h_n[-1]], -1)
    return h_n[-1]
