"""x.view(B * T, D): inputs arrive row after row."""

import torch


def rnn_step(x, h, w_ih, w_hh, b_ih, b_hh):
    return torch.tanh(x @ w_ih.T + b_ih + h @ w_hh.T + b_hh)


def rnn_forward(x, h0, w_ih, w_hh, b_ih, b_hh):
    B, T, D = x.shape
    driven = (x.view(B * T, D) @ w_ih.T + b_ih).view(B, T, -1)
    h, states = (h0, [])
    for t in range(T):
        h = torch.tanh(driven[:, t] + h @ w_hh.T + b_hh)
        states.append(h)
    return (torch.stack(states, dim=1), h)


def grad_norm_by_step(x, h0, w_ih, w_hh, b_ih, b_hh):
    inputs = x.detach().requires_grad_()
    _, h_n = rnn_forward(inputs, h0, w_ih, w_hh, b_ih, b_hh)
    (grad,) = torch.autograd.grad(h_n.sum(), inputs)
    return grad.norm(dim=-1)
