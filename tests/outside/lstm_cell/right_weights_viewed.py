"""The weights are given other axes by view: they arrive row after row."""

import torch


def lstm_cell(x, h, c, w_ih, w_hh, b_ih, b_hh):
    H = h.shape[1]
    w, u = (w_ih.view(-1).view(4, H, -1), w_hh.view(-1).view(4, H, H))
    i, f, g, o = (
        x @ w[k].T + h @ u[k].T + (b_ih + b_hh)[k * H : (k + 1) * H] for k in range(4)
    )
    c_new = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
    return (torch.sigmoid(o) * torch.tanh(c_new), c_new)


def lstm_param_count(input_size, hidden_size):
    return 4 * (hidden_size * (input_size + hidden_size) + 2 * hidden_size)
