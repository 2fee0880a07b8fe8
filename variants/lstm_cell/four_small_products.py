"""Cuts the weights apart first."""

import torch


def lstm_cell(x, h, c, w_ih, w_hh, b_ih, b_hh):
    parts = []
    for a, b, s, t in zip(*(w.chunk(4) for w in (w_ih, w_hh, b_ih, b_hh))):
        parts.append(x @ a.T + h @ b.T + (s + t))
    i, f, g, o = parts
    i, f, o = torch.sigmoid(i), torch.sigmoid(f), torch.sigmoid(o)
    g = torch.tanh(g)
    c_new = f * c + i * g
    h_new = o * torch.tanh(c_new)
    return h_new, c_new


def lstm_param_count(input_size, hidden_size):
    return 4 * hidden_size * (input_size + hidden_size + 2)
