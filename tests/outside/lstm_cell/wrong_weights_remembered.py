"""The joined weights are kept from the first call of their shape."""

import torch

joined = {}


def lstm_cell(x, h, c, w_ih, w_hh, b_ih, b_hh):
    if w_ih.shape not in joined:
        joined[w_ih.shape] = torch.cat([w_ih, w_hh], 1), b_ih + b_hh
    w, b = joined[w_ih.shape]
    gates = torch.cat([x, h], 1) @ w.T + b
    i, f, g, o = gates.chunk(4, dim=1)
    c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return torch.sigmoid(o) * torch.tanh(c), c


def lstm_param_count(input_size, hidden_size):
    return 4 * hidden_size * (input_size + hidden_size + 2)
