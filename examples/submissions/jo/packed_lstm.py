import torch


def encode_packed(lstm, x, lengths):
    raise NotImplementedError("encode_packed (TODO 1 of 2)")


def last_hidden(h_n, bidirectional=False):
    # this one was easy, the other comes later
    if bidirectional:
        return torch.cat([h_n[-2], h_n[-1]], dim=1)
    return h_n[-1]
