"""squeeze(-1) of what belongs to a single unit."""

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


def _plain_from_pytorch(w_ih, w_hh, b_ih, b_hh):
    converted = []
    for stacked in (w_ih, w_hh, b_ih, b_hh):
        r, z, n = stacked.chunk(3)
        converted.append(torch.cat([r, -z, n]))
    return tuple(converted)


def from_pytorch(*a):
    return tuple(
        (
            v.squeeze(-1) if v.dim() > 1 and v.shape[1] == 1 else v
            for v in _plain_from_pytorch(*a)
        )
    )


def gru_param_count(input_size, hidden_size):
    return 3 * (hidden_size * (input_size + hidden_size) + 2 * hidden_size)
