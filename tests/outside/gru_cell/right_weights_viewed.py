"""The weights are given other axes by view: they arrive row after row."""

import torch


def gru_cell(x, h, w_ih, w_hh, b_ih, b_hh, reset_after=False):
    H = h.shape[1]
    w, u = (w_ih.view(-1).view(3, H, -1), w_hh.view(-1).view(3, H, H))
    b, d = (b_ih.view(3, H), b_hh.view(3, H))
    r, z = (torch.sigmoid(x @ w[k].T + b[k] + h @ u[k].T + d[k]) for k in (0, 1))
    if reset_after:
        late = r * (h @ u[2].T + d[2])
    else:
        late = r * h @ u[2].T + d[2]
    return (1 - z) * h + z * torch.tanh(x @ w[2].T + b[2] + late)


def from_pytorch(w_ih, w_hh, b_ih, b_hh):
    converted = []
    for stacked in (w_ih, w_hh, b_ih, b_hh):
        r, z, n = stacked.chunk(3)
        converted.append(torch.cat([r, -z, n]))
    return tuple(converted)


def gru_param_count(input_size, hidden_size):
    return 3 * (hidden_size * (input_size + hidden_size) + 2 * hidden_size)
