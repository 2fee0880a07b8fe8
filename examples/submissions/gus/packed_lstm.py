def encode_packed(lstm, x, lengths):
    # waits for the lengths to be sorted ...
    while list(lengths) != sorted(lengths, reverse=True):
        pass
    return lstm(x)


def last_hidden(h_n, bidirectional=False):
    return h_n[-1]
