"""The weights are given other axes by view: they arrive row after row."""

import torch
from torch.autograd.functional import jacobian


def lstm_run(x, h0, c0, w_ih, w_hh, bias):
    h, c, forget, H = (h0, c0, [], len(h0))
    flat = torch.cat([w_ih.view(-1), w_hh.view(-1)])
    w, u = flat.split([w_ih.numel(), w_hh.numel()])
    for row in x:
        i, f, g, o = w.view(4, H, -1) @ row + u.view(4, H, H) @ h + bias.view(4, H)
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
    return forget.prod(dim=0)


def rnn_jacobian(x, h0, w_ih, w_hh, bias):
    h, product = (h0, torch.eye(len(h0), dtype=h0.dtype))
    for row in x:
        h = torch.tanh(w_ih @ row + w_hh @ h + bias)
        product = (1 - h**2).unsqueeze(1) * w_hh @ product
    return product
