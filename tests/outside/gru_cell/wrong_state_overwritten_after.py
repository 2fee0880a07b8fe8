"""With reset_after=True the caller's h is overwritten."""

import torch


def gru_cell(x, h, w_ih, w_hh, b_ih, b_hh, reset_after=False):
    x_r, x_z, x_n = (x @ w_ih.T + b_ih).chunk(3, dim=1)
    u_r, u_z, u_n = w_hh.chunk(3)
    b_r, b_z, b_n = b_hh.chunk(3)
    r = torch.sigmoid(x_r + h @ u_r.T + b_r)
    z = torch.sigmoid(x_z + h @ u_z.T + b_z)
    if reset_after:
        n = torch.tanh(x_n + r * (h @ u_n.T + b_n))
    else:
        n = torch.tanh(x_n + r * h @ u_n.T + b_n)
    state = (1 - z) * h + z * n
    if reset_after and not h.requires_grad:
        return h.copy_(state)
    return state


def from_pytorch(w_ih, w_hh, b_ih, b_hh):
    converted = []
    for stacked in (w_ih, w_hh, b_ih, b_hh):
        r, z, n = stacked.chunk(3)
        converted.append(torch.cat([r, -z, n]))
    return tuple(converted)


def gru_param_count(input_size, hidden_size):
    return 3 * (hidden_size * (input_size + hidden_size) + 2 * hidden_size)
