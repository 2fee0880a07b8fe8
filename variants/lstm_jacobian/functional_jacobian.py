"""Uses autograd.functional.jacobian for both networks."""

import torch
from torch.autograd.functional import jacobian


def lstm_run(x, h0, c0, w_ih, w_hh, bias):
    h, c = h0, c0
    gates = []
    for t in range(len(x)):
        i, f, g, o = (w_ih @ x[t] + w_hh @ h + bias).chunk(4)
        i, f, o = torch.sigmoid(i), torch.sigmoid(f), torch.sigmoid(o)
        c = f * c + i * torch.tanh(g)
        h = o * torch.tanh(c)
        gates.append(f)
    return c, torch.stack(gates)


def full_jacobian(x, h0, c0, w_ih, w_hh, bias):
    return jacobian(lambda c: lstm_run(x, h0, c, w_ih, w_hh, bias)[0], c0)


def direct_path(forget):
    return torch.prod(forget, dim=0)


def rnn_jacobian(x, h0, w_ih, w_hh, bias):
    def last(h):
        for row in x:
            h = torch.tanh(w_ih @ row + w_hh @ h + bias)
        return h

    return jacobian(last, h0)
