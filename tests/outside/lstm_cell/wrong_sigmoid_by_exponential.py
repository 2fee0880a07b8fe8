"""exp(a) / (1 + exp(a)): inf / inf for gates far open."""

import torch


def lstm_cell(x, h, c, w_ih, w_hh, b_ih, b_hh):
    gates = x @ w_ih.T + b_ih + h @ w_hh.T + b_hh
    i, f, g, o = gates.chunk(4, dim=1)
    i, f, o = (a.exp() / (1 + a.exp()) for a in (i, f, o))
    c = f * c + i * torch.tanh(g)
    return o * torch.tanh(c), c


def lstm_param_count(input_size, hidden_size):
    return 4 * hidden_size * (input_size + hidden_size + 2)
