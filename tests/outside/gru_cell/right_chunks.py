"""Three blocks a side by chunk; conversion by a vector of signs."""

import torch
import torch.nn.functional as F


def gru_cell(x, h, w_ih, w_hh, b_ih, b_hh, reset_after=False):
    xr, xz, xn = F.linear(x, w_ih, b_ih).chunk(3, dim=1)
    hr, hz, hn = F.linear(h, w_hh, b_hh).chunk(3, dim=1)
    r, z = torch.sigmoid(xr + hr), torch.sigmoid(xz + hz)
    if not reset_after:
        H = h.shape[1]
        hn = F.linear(r * h, w_hh[2 * H :], b_hh[2 * H :])
        n = torch.tanh(xn + hn)
    else:
        n = torch.tanh(xn + r * hn)
    return torch.lerp(h, n, z)


def from_pytorch(w_ih, w_hh, b_ih, b_hh):
    H = w_hh.shape[1]
    sign = w_hh.new_ones(3 * H)
    sign[H : 2 * H] = -1
    return w_ih * sign[:, None], w_hh * sign[:, None], b_ih * sign, b_hh * sign


def gru_param_count(input_size, hidden_size):
    return 3 * hidden_size * (input_size + hidden_size + 2)
