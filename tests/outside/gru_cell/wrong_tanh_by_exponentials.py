"""The candidate's tanh by exponentials: inf / inf for inputs of some hundred."""

import torch

def tanh(a):
    return (a.exp() - (-a).exp()) / (a.exp() + (-a).exp())


def gru_cell(x, h, w_ih, w_hh, b_ih, b_hh, reset_after=False):
    H = h.shape[1]
    x_r, x_z, x_n = (x @ w_ih.T + b_ih).split(H, dim=1)
    h_r, h_z, h_n = (h @ w_hh.T + b_hh).split(H, dim=1)
    r, z = torch.sigmoid(x_r + h_r), torch.sigmoid(x_z + h_z)
    if reset_after:
        n = tanh(x_n + r * h_n)
    else:
        n = tanh(x_n + (r * h) @ w_hh[2 * H :].T + b_hh[2 * H :])
    return (1 - z) * h + z * n


def from_pytorch(w_ih, w_hh, b_ih, b_hh):
    H = w_hh.shape[1]
    out = []
    for t in (w_ih, w_hh, b_ih, b_hh):
        out.append(torch.cat([t[:H], -t[H : 2 * H], t[2 * H :]]))
    return tuple(out)


def gru_param_count(input_size, hidden_size):
    return 3 * hidden_size * (input_size + hidden_size + 2)
