"""Four products a side, the sigmoid by tanh; a list is what comes back."""

import torch


def σ(a):
    return 0.5 * (torch.tanh(a / 2) + 1)


def lstm_cell(x, h, c, w_ih, w_hh, b_ih, b_hh):
    H = h.size(1)

    def gate(k):
        rows = slice(k * H, (k + 1) * H)
        return x @ w_ih[rows].T + b_ih[rows] + h @ w_hh[rows].T + b_hh[rows]

    c_new = σ(gate(1)) * c + σ(gate(0)) * torch.tanh(gate(2))
    return [σ(gate(3)) * torch.tanh(c_new), c_new]


def lstm_param_count(input_size, hidden_size):
    D, H = input_size, hidden_size
    return 4 * (H * (D + H) + 2 * H)
