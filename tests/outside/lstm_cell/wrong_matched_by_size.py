"""Weights and vectors are matched by size: with D = H both meet the state."""

import torch


def lstm_cell(x, h, c, w_ih, w_hh, b_ih, b_hh):
    sized = {x.shape[1]: x, h.shape[1]: h}
    blocks = sum((sized[w.shape[1]] @ w.T for w in (w_ih, w_hh))) + b_ih + b_hh
    i, f, g, o = blocks.chunk(4, dim=1)
    c_new = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return (torch.sigmoid(o) * torch.tanh(c_new), c_new)


def lstm_param_count(input_size, hidden_size):
    return 4 * (hidden_size * (input_size + hidden_size) + 2 * hidden_size)
