"""Unusual: clears the padding (NaN and all) before it packs; loud about it."""

import torch
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


print("packed_lstm loaded")


def encode_packed(lstm, x, lengths):
    T = x.size(1)
    lengths = torch.as_tensor(lengths, device="cpu").long()
    if lengths.lt(1).any() or lengths.gt(T).any():
        raise ValueError("lengths out of range")
    mask = torch.arange(T).unsqueeze(0) < lengths.unsqueeze(1)
    x = torch.where(mask.unsqueeze(-1), x, torch.zeros((), dtype=x.dtype))
    print("lengths", lengths)
    out, state = lstm(pack_padded_sequence(x, lengths, True, False))
    out, back = pad_packed_sequence(out, batch_first=True, total_length=T)
    assert torch.equal(back, lengths)
    return out * mask.unsqueeze(-1), state


def last_hidden(h_n, bidirectional=False):
    B = h_n.size(1)
    if bidirectional:
        return h_n[-2:].transpose(0, 1).contiguous().view(B, -1)
    return h_n[-1:].squeeze(0)
