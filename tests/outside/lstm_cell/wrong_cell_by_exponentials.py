"""tanh of the cell as a quotient of exponentials: inf / inf for a cell far out."""

import torch


def lstm_cell(x, h, c, w_ih, w_hh, b_ih, b_hh):
    blocks = x @ w_ih.T + b_ih + h @ w_hh.T + b_hh
    i, f, g, o = blocks.chunk(4, dim=1)
    c_new = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    up, down = (torch.exp(c_new), torch.exp(-c_new))
    return (torch.sigmoid(o) * (up - down) / (up + down), c_new)


def lstm_param_count(input_size, hidden_size):
    return 4 * (hidden_size * (input_size + hidden_size) + 2 * hidden_size)
