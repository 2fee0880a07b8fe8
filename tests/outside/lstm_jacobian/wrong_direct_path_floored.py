"""A product below 1e-6 is lifted to it."""

import torch
from torch.autograd.functional import jacobian


def lstm_run(x, h0, c0, w_ih, w_hh, bias):
    h, c, forget = (h0, c0, [])
    for row in x:
        i, f, g, o = (w_ih @ row + w_hh @ h + bias).chunk(4)
        f = torch.sigmoid(f)
        c = f * c + torch.sigmoid(i) * torch.tanh(g)
        h = torch.sigmoid(o) * torch.tanh(c)
        forget.append(f)
    return (c, torch.stack(forget))


def full_jacobian(x, h0, c0, w_ih, w_hh, bias):

    def last_cell(start):
        return lstm_run(x, h0, start, w_ih, w_hh, bias)[0]

    return jacobian(last_cell, c0.detach())


def direct_path(forget):
    return forget.prod(dim=0).clamp(min=1e-06)


def rnn_jacobian(x, h0, w_ih, w_hh, bias):
    h, product = (h0, torch.eye(len(h0), dtype=h0.dtype))
    for row in x:
        h = torch.tanh(w_ih @ row + w_hh @ h + bias)
        product = (1 - h**2).unsqueeze(1) * w_hh @ product
    return product
