"""Changes the caller's weights."""

import torch


def gru_cell(x, h, w_ih, w_hh, b_ih, b_hh, reset_after=False):
    n_units = h.shape[1]
    from_x = x @ w_ih.T + b_ih
    from_h = h @ w_hh.T + b_hh
    x_r, x_z, x_n = from_x.split(n_units, dim=1)
    h_r, h_z, h_n = from_h.split(n_units, dim=1)
    r = torch.sigmoid(x_r + h_r)
    z = torch.sigmoid(x_z + h_z)
    u_n, b_n = w_hh[2 * n_units :], b_hh[2 * n_units :]
    if reset_after:
        candidate = torch.tanh(x_n + r * h_n)
    else:
        candidate = torch.tanh(x_n + (r * h) @ u_n.T + b_n)
    return (1 - z) * h + z * candidate


def from_pytorch(w_ih, w_hh, b_ih, b_hh):
    result = []
    for stacked in (w_ih, w_hh, b_ih, b_hh):
        n_units = len(stacked) // 3
        changed = stacked
        changed[n_units : 2 * n_units] *= -1
        result.append(changed)
    return tuple(result)


def gru_param_count(input_size, hidden_size):
    return 3 * hidden_size * (input_size + hidden_size + 2)
