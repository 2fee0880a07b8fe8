"""Direct path through logarithms, RNN rows scaled by broadcasting."""

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
    c0 = c0.clone().requires_grad_()
    c_n, _ = lstm_run(x, h0, c0, w_ih, w_hh, bias)
    rows = [torch.autograd.grad(c, c0, retain_graph=True)[0] for c in c_n]
    return torch.stack(rows)


def direct_path(forget):
    return forget.log().sum(0).exp()


def rnn_jacobian(x, h0, w_ih, w_hh, bias):
    h = h0
    total = torch.eye(len(h0), dtype=h0.dtype)
    for t in range(len(x)):
        h = torch.tanh(w_ih @ x[t] + w_hh @ h + bias)
        total = ((1 - h**2)[:, None] * w_hh) @ total
    return total
