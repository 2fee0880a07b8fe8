"""Ignores h0."""

import torch


def rnn_step(x, h, w_ih, w_hh, b_ih, b_hh):
    return torch.tanh(x @ w_ih.T + b_ih + h @ w_hh.T + b_hh)


def rnn_forward(x, h0, w_ih, w_hh, b_ih, b_hh):
    h = torch.zeros_like(h0)
    outputs = []
    for t in range(x.shape[1]):
        h = rnn_step(x[:, t], h, w_ih, w_hh, b_ih, b_hh)
        outputs.append(h)
    return torch.stack(outputs, dim=1), h


def grad_norm_by_step(x, h0, w_ih, w_hh, b_ih, b_hh):
    x = x.detach().clone().requires_grad_(True)
    output, h_n = rnn_forward(x, h0, w_ih, w_hh, b_ih, b_hh)
    h_n.sum().backward()
    return x.grad.norm(dim=2)
