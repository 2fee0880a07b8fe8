import torch
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


def encode_packed(lstm, x, lengths):
    T = x.size(1)
    lengths = torch.as_tensor(lengths).long().cpu()
    if (lengths < 1).any() or (lengths > T).any():
        raise ValueError("every length must be between 1 and T")
    packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
    out, (h_n, c_n) = lstm(packed)
    out, _ = pad_packed_sequence(out, batch_first=True, total_length=T)
    return out, (h_n, c_n)


def last_hidden(h_n, bidirectional=False):
    if bidirectional:
        # last layer: forward is second to last, backward is last
        return torch.cat([h_n[-2], h_n[-1]], dim=-1)
    return h_n[-1]
