"""The rows are counted by D instead of H."""

import torch


def gru_cell(x, h, w_ih, w_hh, b_ih, b_hh, reset_after=False):
    H = h.shape[1]
    x_r, x_z, x_n = (x @ w_ih.T + b_ih).split(H, dim=1)
    h_r, h_z, h_n = (h @ w_hh.T + b_hh).split(H, dim=1)
    r, z = torch.sigmoid(x_r + h_r), torch.sigmoid(x_z + h_z)
    if reset_after:
        n = torch.tanh(x_n + r * h_n)
    else:
        n = torch.tanh(x_n + (r * h) @ w_hh[2 * H :].T + b_hh[2 * H :])
    return (1 - z) * h + z * n


def from_pytorch(w_ih, w_hh, b_ih, b_hh):
    D = w_ih.shape[1]
    out = []
    for t in (w_ih, w_hh, b_ih, b_hh):
        t = t.clone()
        t[D : 2 * D] *= -1
        out.append(t)
    return tuple(out)


def gru_param_count(input_size, hidden_size):
    return 3 * hidden_size * (input_size + hidden_size + 2)
