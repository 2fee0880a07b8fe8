"""The axis of a single input feature is dropped: the norm runs over time."""

import torch


def rnn_step(x, h, w_ih, w_hh, b_ih, b_hh):
    return torch.tanh(x @ w_ih.T + b_ih + h @ w_hh.T + b_hh)


def rnn_forward(x, h0, w_ih, w_hh, b_ih, b_hh):
    h, states = (h0, [])
    for t in range(x.shape[1]):
        h = rnn_step(x[:, t], h, w_ih, w_hh, b_ih, b_hh)
        states.append(h)
    return (torch.stack(states, dim=1), h)


def grad_norm_by_step(x, h0, w_ih, w_hh, b_ih, b_hh):
    inputs = x.detach().requires_grad_()
    _, h_n = rnn_forward(inputs, h0, w_ih, w_hh, b_ih, b_hh)
    (grad,) = torch.autograd.grad(h_n.sum(), inputs)
    return grad.squeeze(-1).norm(dim=-1)
