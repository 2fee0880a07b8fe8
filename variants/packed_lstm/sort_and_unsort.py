"""Unusual: sorts by hand, packs sorted, puts everything back."""

import torch
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


def encode_packed(lstm, x, lengths):
    T = x.shape[1]
    if not torch.is_tensor(lengths):
        lengths = torch.tensor(lengths)
    lengths = lengths.cpu().long()
    if (lengths <= 0).any():
        raise ValueError("empty sequence")
    if (lengths > T).any():
        raise ValueError("sequence longer than its padding")
    ordered, order = torch.sort(lengths, descending=True)
    back = torch.argsort(order)
    packed = pack_padded_sequence(x.index_select(0, order), ordered, batch_first=True)
    out, (h, c) = lstm(packed)
    out, _ = pad_packed_sequence(out, batch_first=True, total_length=T)
    return out[back], (h[:, back], c[:, back])


def last_hidden(h_n, bidirectional=False):
    dirs = 2 if bidirectional else 1
    top = h_n.view(-1, dirs, h_n.size(1), h_n.size(2))[-1]
    return top.transpose(0, 1).reshape(h_n.size(1), -1)
