"""One product over [x, h]; sigmoid written with exp."""

import torch


def lstm_cell(x, h, c, w_ih, w_hh, b_ih, b_hh):
    gates = torch.cat([x, h], 1) @ torch.cat([w_ih, w_hh], 1).T + b_ih + b_hh
    i, f, g, o = gates.chunk(4, dim=1)
    i, f, o = (1 / (1 + torch.exp(-gate)) for gate in (i, f, o))
    g = torch.tanh(g)
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


def lstm_param_count(input_size, hidden_size):
    return 4 * hidden_size * (input_size + hidden_size + 2)
