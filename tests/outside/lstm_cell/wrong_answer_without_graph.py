"""numpy inside: the numbers are right, no gradient comes back."""

import torch

import numpy as np


def lstm_cell(x, h, c, w_ih, w_hh, b_ih, b_hh):
    x, h, c, w_ih, w_hh, b_ih, b_hh = (
        t.detach().numpy() for t in (x, h, c, w_ih, w_hh, b_ih, b_hh)
    )
    gates = x @ w_ih.T + b_ih + h @ w_hh.T + b_hh
    i, f, g, o = np.split(gates, 4, axis=1)
    c = c / (1 + np.exp(-f)) + np.tanh(g) / (1 + np.exp(-i))
    h = np.tanh(c) / (1 + np.exp(-o))
    return torch.from_numpy(h), torch.from_numpy(c)


def lstm_param_count(input_size, hidden_size):
    return 4 * hidden_size * (input_size + hidden_size + 2)
