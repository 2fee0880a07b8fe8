"""x is taken for time first when it has more samples than steps."""

import torch


def rnn_step(x, h, w_ih, w_hh, b_ih, b_hh):
    return torch.tanh(x @ w_ih.T + b_ih + h @ w_hh.T + b_hh)


def rnn_forward(x, h0, w_ih, w_hh, b_ih, b_hh):
    h, states = (h0, [])
    if x.shape[0] > x.shape[1]:
        x = x.reshape(x.shape[1], x.shape[0], -1).transpose(0, 1)
    for t in range(x.shape[1]):
        h = rnn_step(x[:, t], h, w_ih, w_hh, b_ih, b_hh)
        states.append(h)
    return (torch.stack(states, dim=1), h)


def grad_norm_by_step(x, h0, w_ih, w_hh, b_ih, b_hh):
    inputs = x.detach().requires_grad_()
    _, h_n = rnn_forward(inputs, h0, w_ih, w_hh, b_ih, b_hh)
    (grad,) = torch.autograd.grad(h_n.sum(), inputs)
    return grad.norm(dim=-1)
