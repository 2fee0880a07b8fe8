"""view(B, H, 3): the three gates of a unit are taken to lie together."""

import torch


def gru_cell(x, h, w_ih, w_hh, b_ih, b_hh, reset_after=False):
    B, H = h.shape
    x_r, x_z, x_n = (x @ w_ih.T + b_ih).view(B, H, 3).unbind(2)
    h_r, h_z, h_n = (h @ w_hh.T + b_hh).view(B, H, 3).unbind(2)
    r, z = torch.sigmoid(x_r + h_r), torch.sigmoid(x_z + h_z)
    u, b = w_hh.view(H, 3, H)[:, 2], b_hh.view(H, 3)[:, 2]
    n = torch.tanh(x_n + (r * h_n if reset_after else (r * h) @ u.T + b))
    return (1 - z) * h + z * n


def from_pytorch(w_ih, w_hh, b_ih, b_hh):
    H = w_hh.shape[1]
    out = []
    for t in (w_ih, w_hh, b_ih, b_hh):
        out.append(torch.cat([t[:H], -t[H : 2 * H], t[2 * H :]]))
    return tuple(out)


def gru_param_count(input_size, hidden_size):
    return 3 * hidden_size * (input_size + hidden_size + 2)
