import torch
import torch.nn.utils.rnn as rnn


def encode_packed(lstm, x, lengths):
    lens = [int(n) for n in lengths]
    if min(lens) < 1 or max(lens) > x.shape[1]:
        raise ValueError("bad lengths")
    order = sorted(range(len(lens)), key=lambda i: -lens[i])
    back = torch.argsort(torch.tensor(order))
    p = rnn.pack_padded_sequence(x[order], [lens[i] for i in order], batch_first=True)
    out, (h, c) = lstm(p)
    out, _ = rnn.pad_packed_sequence(out, batch_first=True, total_length=x.shape[1])
    return out[back], (h[:, back], c[:, back])


def last_hidden(h_n, bidirectional=False):
    return torch.cat((h_n[-2], h_n[-1]), 1) if bidirectional else h_n[-1]
