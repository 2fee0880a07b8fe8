"""Takes the states row by row, but the output from a run over the padding."""

import torch
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


def encode_packed(lstm, x, lengths):
    T = x.size(1)
    lengths = torch.as_tensor(lengths, dtype=torch.int64, device="cpu")
    if int(lengths.min()) < 1 or int(lengths.max()) > T:
        raise ValueError("lengths must be in 1..T")
    output, state = lstm(x)
    keep = (torch.arange(T) < lengths[:, None])[..., None]
    states = [lstm(x[b : b + 1, :n])[1] for b, n in enumerate(lengths.tolist())]
    output = torch.where(keep, output, torch.zeros_like(output))
    return output, tuple(torch.cat(parts, 1) for parts in zip(*states))


def last_hidden(h_n, bidirectional=False):
    if bidirectional:
        return torch.cat([h_n[-2], h_n[-1]], dim=-1)
    return h_n[-1]
