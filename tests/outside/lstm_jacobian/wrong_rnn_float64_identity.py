"""The identity is float64: float32 inputs raise."""

import torch
from torch.autograd.functional import jacobian


def lstm_run(x, h0, c0, w_ih, w_hh, bias):
    h, c, forget = h0, c0, []
    for x_t in x:
        i, f, g, o = (w_ih @ x_t + w_hh @ h + bias).chunk(4)
        f = torch.sigmoid(f)
        c = f * c + torch.sigmoid(i) * torch.tanh(g)
        h = torch.sigmoid(o) * torch.tanh(c)
        forget.append(f)
    return c, torch.stack(forget)


def full_jacobian(x, h0, c0, w_ih, w_hh, bias):
    return jacobian(lambda c: lstm_run(x, h0, c, w_ih, w_hh, bias)[0], c0)


def direct_path(forget):
    return forget.prod(0)


def rnn_jacobian(x, h0, w_ih, w_hh, bias):
    h, product = h0, torch.eye(len(h0), dtype=torch.float64)
    for x_t in x:
        h = torch.tanh(w_ih @ x_t + w_hh @ h + bias)
        product = (1 - h**2)[:, None] * w_hh @ product
    return product
