import torch
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


def encode_packed(lstm, x, lengths):
    packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
    out, state = lstm(packed)
    out, _ = pad_packed_sequence(out, batch_first=True)
    return out, state


def last_hidden(h_n, bidirectional=False):
    return h_n[-1]
