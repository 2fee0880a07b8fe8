"""Older idiom: sort, pack, pad, unsort with the inverse permutation."""

import torch
from torch import nn
from torch.nn.utils import rnn as rnn_utils


def _check(lengths, longest):
    lengths = torch.as_tensor(lengths, dtype=torch.long, device="cpu")
    if bool(((lengths < 1) | (lengths > longest)).any()):
        raise ValueError("every length must lie in 1..%d" % longest)
    return lengths


def encode_packed(lstm: nn.LSTM, x, lengths):
    lengths = _check(lengths, x.size(1))
    sorted_lengths, perm = lengths.sort(descending=True)
    inverse = torch.empty_like(perm)
    inverse[perm] = torch.arange(len(perm))
    lstm.flatten_parameters()
    packed = rnn_utils.pack_padded_sequence(
        x.index_select(0, perm), sorted_lengths.tolist(), batch_first=True
    )
    packed_out, hc = lstm(packed)
    out, _ = rnn_utils.pad_packed_sequence(packed_out, batch_first=True)
    if out.size(1) < x.size(1):
        gap = out.new_zeros(out.size(0), x.size(1) - out.size(1), out.size(2))
        out = torch.cat([out, gap], dim=1)
    h, c = (s.index_select(1, inverse) for s in hc)
    return out.index_select(0, inverse), (h, c)


def last_hidden(h_n, bidirectional=False):
    *_, back, front = [None, *h_n.unbind(0)]
    return torch.hstack([back, front]) if bidirectional else front
