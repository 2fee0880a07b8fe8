"""Sets the padding to 0 and calls that packing."""

import torch
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


def encode_packed(lstm, x, lengths):
    T = x.size(1)
    lengths = torch.as_tensor(lengths, dtype=torch.int64, device="cpu")
    if int(lengths.min()) < 1 or int(lengths.max()) > T:
        raise ValueError("lengths must be in 1..T")
    past = (torch.arange(T) >= lengths[:, None])[..., None]
    output, state = lstm(x.masked_fill(past, 0.0))
    return output.masked_fill(past, 0.0), state


def last_hidden(h_n, bidirectional=False):
    if bidirectional:
        return torch.cat([h_n[-2], h_n[-1]], dim=-1)
    return h_n[-1]
