"""Shows the cell state without tanh."""

import torch


def lstm_cell(x, h, c, w_ih, w_hh, b_ih, b_hh):
    gates = x @ w_ih.T + b_ih + h @ w_hh.T + b_hh
    i, f, g, o = gates.chunk(4, dim=1)
    i, f, o = torch.sigmoid(i), torch.sigmoid(f), torch.sigmoid(o)
    g = torch.tanh(g)
    c_new = f * c + i * g
    h_new = o * c_new
    return h_new, c_new


def lstm_param_count(input_size, hidden_size):
    return 4 * hidden_size * (input_size + hidden_size + 2)
