"""tanh as a quotient of exponentials: inf / inf for inputs of some hundred."""

import torch


def rnn_step(x, h, w_ih, w_hh, b_ih, b_hh):
    a = x @ w_ih.T + b_ih + h @ w_hh.T + b_hh
    return (a.exp() - (-a).exp()) / (a.exp() + (-a).exp())


def rnn_forward(x, h0, w_ih, w_hh, b_ih, b_hh):
    h, output = h0, []
    for t in range(x.shape[1]):
        h = rnn_step(x[:, t], h, w_ih, w_hh, b_ih, b_hh)
        output.append(h)
    return torch.stack(output, dim=1), h


def grad_norm_by_step(x, h0, w_ih, w_hh, b_ih, b_hh):
    own = x.detach().clone().requires_grad_()
    h_n = rnn_forward(own, h0, w_ih, w_hh, b_ih, b_hh)[1]
    (grad,) = torch.autograd.grad(h_n.sum(), own)
    return grad.norm(dim=-1)
