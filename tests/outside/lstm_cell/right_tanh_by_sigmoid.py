"""tanh(a) as 2 sigmoid(2a) - 1, for the candidate and for the cell."""

import torch


def lstm_cell(x, h, c, w_ih, w_hh, b_ih, b_hh):
    blocks = x @ w_ih.T + b_ih + h @ w_hh.T + b_hh
    i, f, g, o = blocks.chunk(4, dim=1)
    c_new = torch.sigmoid(f) * c + torch.sigmoid(i) * (2 * torch.sigmoid(2 * g) - 1)
    return (torch.sigmoid(o) * (2 * torch.sigmoid(2 * c_new) - 1), c_new)


def lstm_param_count(input_size, hidden_size):
    return 4 * (hidden_size * (input_size + hidden_size) + 2 * hidden_size)
