"""One product of [x, h] for both gates; the conversion is a matrix product."""

import torch


def gru_cell(x, h, w_ih, w_hh, b_ih, b_hh, reset_after=False):
    H = h.shape[1]
    W = torch.hstack([w_ih, w_hh])
    both = torch.hstack([x, h]) @ W[: 2 * H].T + (b_ih + b_hh)[: 2 * H]
    r = torch.sigmoid(both[:, :H])
    z = torch.sigmoid(both[:, H:])
    match reset_after:
        case True:
            inner = torch.addmm(b_hh[-H:], h, w_hh[-H:].T) * r
        case _:
            inner = torch.addmm(b_hh[-H:], h * r, w_hh[-H:].T)
    n = torch.tanh(x @ w_ih[-H:].T + b_ih[-H:] + inner)
    return h - z * h + z * n


def from_pytorch(w_ih, w_hh, b_ih, b_hh):
    H = w_hh.shape[1]
    S = torch.block_diag(*(s * torch.eye(H, dtype=w_hh.dtype) for s in (1, -1, 1)))
    return S @ w_ih, S @ w_hh, S @ b_ih, S @ b_hh


def gru_param_count(input_size, hidden_size):
    gates, biases = 3, 2
    return gates * (hidden_size * (input_size + hidden_size) + biases * hidden_size)
