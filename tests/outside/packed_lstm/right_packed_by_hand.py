"""The PackedSequence is put together by hand: step by step, longest first."""

import torch
from torch.nn.utils.rnn import PackedSequence


def encode_packed(lstm, x, lengths):
    B, T = x.shape[0], x.shape[1]
    n = torch.tensor([int(v) for v in lengths])
    if n.min() < 1 or n.max() > T:
        raise ValueError("lengths out of range")
    order = sorted(range(B), key=lambda b: -n[b].item())
    alive = [[b for b in order if n[b] > t] for t in range(int(n.max()))]
    data = torch.cat([x[rows, t] for t, rows in enumerate(alive)])
    packed = PackedSequence(data, torch.tensor([len(a) for a in alive]))
    out, (h, c) = lstm(packed)
    output = torch.zeros(B, T, out.data.shape[1], dtype=x.dtype)
    b_index = torch.tensor([b for rows in alive for b in rows])
    t_index = torch.tensor([t for t, rows in enumerate(alive) for _ in rows])
    output = output.index_put((b_index, t_index), out.data)
    back = [order.index(b) for b in range(B)]
    return output, (h[:, back], c[:, back])


def last_hidden(h_n, bidirectional=False):
    if not bidirectional:
        return h_n.select(0, h_n.size(0) - 1)
    layers_dirs, B, H = h_n.shape
    return h_n.permute(1, 0, 2).reshape(B, layers_dirs * H)[:, -2 * H :]
