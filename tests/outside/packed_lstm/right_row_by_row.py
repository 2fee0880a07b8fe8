# 逐个样本跑，不打包；返回列表
import torch
import torch.nn.functional as F


def encode_packed(lstm, x, lengths):
    T = x.size(1)
    if isinstance(lengths, torch.Tensor):
        lengths = lengths.cpu().tolist()
    for l in lengths:
        if not (1 <= l <= T): raise ValueError('长度必须在 1 到 %d 之间, 得到 %d' % (T, l))
    H, C, O = [], [], []
    for i, l in enumerate(lengths):
        o, (h, c) = lstm(x[i:i + 1, :l, :])
        O += [F.pad(o, (0, 0, 0, T - l))]
        H += [h]; C += [c]
    return [torch.cat(O, dim=0), [torch.cat(H, dim=1), torch.cat(C, dim=1)]]


def last_hidden(h_n, bidirectional=False):
    return torch.cat((h_n[-2], h_n[-1]), dim=1) if bidirectional else h_n[-1]
