"""(h, c) as one state of 2H: its one-step Jacobians multiply; the corner is asked for."""

import torch
from torch.autograd.functional import jacobian


class Lstm:
    def __init__(self, w_ih, w_hh, bias):
        self.w_ih, self.w_hh, self.bias = w_ih, w_hh, bias
        self.H = w_hh.shape[1]

    def gates(self, x, h):
        a = self.w_ih.mv(x) + self.w_hh.mv(h) + self.bias
        i, f, g, o = a.view(4, self.H)
        return i.sigmoid(), f.sigmoid(), g.tanh(), o.sigmoid()

    def step(self, x, state):
        h, c = state[: self.H], state[self.H :]
        i, f, g, o = self.gates(x, h)
        c = f * c + i * g
        return torch.cat([o * torch.tanh(c), c])


def lstm_run(x, h0, c0, w_ih, w_hh, bias):
    net = Lstm(w_ih, w_hh, bias)
    state = torch.cat([h0, c0])
    forget = []
    for x_t in x:
        forget.append(net.gates(x_t, state[: net.H])[1])
        state = net.step(x_t, state)
    return state[net.H :], torch.vstack(forget)


def full_jacobian(x, h0, c0, w_ih, w_hh, bias):
    net = Lstm(w_ih, w_hh, bias)
    state = torch.cat([h0, c0])
    J = torch.eye(2 * net.H, dtype=state.dtype)
    for x_t in x:
        J = jacobian(lambda s, x_t=x_t: net.step(x_t, s), state) @ J
        state = net.step(x_t, state)
    return J[net.H :, net.H :]


def direct_path(forget):
    return forget.cumprod(dim=0)[-1]


def rnn_jacobian(x, h0, w_ih, w_hh, bias):
    if len(x) == 0:
        return torch.eye(len(h0), dtype=h0.dtype)
    before = rnn_jacobian(x[:-1], h0, w_ih, w_hh, bias)
    h = h0
    for x_t in x:
        h = torch.tanh(w_ih.mv(x_t) + w_hh.mv(h) + bias)
    return torch.diag_embed(1 - h**2) @ w_hh @ before
