"""h_n has a graph, output is filled with numbers only."""

import torch


def rnn_step(x, h, w_ih, w_hh, b_ih, b_hh):
    return torch.tanh(x @ w_ih.T + b_ih + h @ w_hh.T + b_hh)


def rnn_forward(x, h0, w_ih, w_hh, b_ih, b_hh):
    B, T, _ = x.shape
    output = torch.zeros(B, T, h0.shape[1], dtype=x.dtype)
    h = h0
    for t in range(T):
        h = rnn_step(x[:, t], h, w_ih, w_hh, b_ih, b_hh)
        output[:, t] = h.data
    return output, h


def grad_norm_by_step(x, h0, w_ih, w_hh, b_ih, b_hh):
    own = x.detach().clone().requires_grad_()
    h_n = rnn_forward(own, h0, w_ih, w_hh, b_ih, b_hh)[1]
    (grad,) = torch.autograd.grad(h_n.sum(), own)
    return grad.norm(dim=-1)
