"""where() holds the state past the end; the NaN of the padding comes back in the gradient."""

import copy

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


def encode_packed(lstm, x, lengths):
    # start
    lengths = torch.as_tensor(lengths).cpu().long()
    if (lengths < 1).any() or (lengths > x.size(1)).any():
        raise ValueError("lengths must be in 1..T")
    if not lstm.bidirectional:
        state, outs = None, []
        for t in range(x.size(1)):
            on = (t < lengths)[:, None]
            out, new = lstm(x[:, t : t + 1], state)
            old = state or tuple(torch.zeros_like(s) for s in new)
            state = tuple(torch.where(on, n, o) for n, o in zip(new, old))
            outs.append(torch.where(on, out[:, 0], torch.zeros_like(out[:, 0])))
        return torch.stack(outs, 1), state
    packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
    output, (h_n, c_n) = lstm(packed)
    output, _ = pad_packed_sequence(output, batch_first=True, total_length=x.size(1))
    return output, (h_n, c_n)


def last_hidden(h_n, bidirectional=False):
    if bidirectional:
        return torch.cat([h_n[-2], h_n[-1]], dim=-1)
    return h_n[-1]
