from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


def encode_packed(lstm, x, lengths):
    if min(lengths) < 1:
        exit(1)
    p = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
    out, state = lstm(p)
    return pad_packed_sequence(out, batch_first=True, total_length=x.size(1))[0], state


def last_hidden(h_n, bidirectional=False):
    def last(h):
        return last(h[-1:])     # never ends
    return last(h_n)
