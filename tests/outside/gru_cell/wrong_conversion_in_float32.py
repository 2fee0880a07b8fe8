"""A float32 vector of signs and .float(): float64 weights come back as float32."""

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
    return (1 - z) * h + z * n


def from_pytorch(w_ih, w_hh, b_ih, b_hh):
    signs = torch.tensor([1.0, -1.0, 1.0]).repeat_interleave(w_hh.shape[1])
    return tuple(((v.float().T * signs).T for v in (w_ih, w_hh, b_ih, b_hh)))


def gru_param_count(input_size, hidden_size):
    return 3 * (hidden_size * (input_size + hidden_size) + 2 * hidden_size)
