"""rnn_step cuts the state off; rnn_forward has a step of its own."""

import torch


def rnn_step(x, h, w_ih, w_hh, b_ih, b_hh):
    return torch.tanh(x @ w_ih.T + b_ih + h.detach() @ w_hh.T + b_hh)


def rnn_forward(x, h0, w_ih, w_hh, b_ih, b_hh):
    h, s = (h0, [])
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ w_ih.T + b_ih + h @ w_hh.T + b_hh)
        s.append(h)
    return (torch.stack(s, 1), h)


def grad_norm_by_step(x, h0, w_ih, w_hh, b_ih, b_hh):
    inputs = x.detach().requires_grad_()
    _, h_n = rnn_forward(inputs, h0, w_ih, w_hh, b_ih, b_hh)
    (grad,) = torch.autograd.grad(h_n.sum(), inputs)
    return grad.norm(dim=-1)
