"""tanh as 2 sigmoid(2a) - 1; the gradient runs back by hand, without autograd."""

import torch


def rnn_step(x, h, w_ih, w_hh, b_ih, b_hh):
    a = torch.addmm(b_ih, x, w_ih.t()) + torch.addmm(b_hh, h, w_hh.t())
    return 2 * torch.sigmoid(2 * a) - 1


def rnn_forward(x, h0, w_ih, w_hh, b_ih, b_hh):
    states = [h0]
    for t in range(x.shape[1]):
        states.append(rnn_step(x[:, t], states[-1], w_ih, w_hh, b_ih, b_hh))
    return torch.stack(states[1:], 1), states[-1]


def grad_norm_by_step(x, h0, w_ih, w_hh, b_ih, b_hh):
    output, h_n = rnn_forward(x, h0, w_ih, w_hh, b_ih, b_hh)
    delta = torch.ones_like(h_n)  # dL/dh_T
    norms = []
    for t in reversed(range(x.shape[1])):
        pre = delta * (1 - output[:, t] ** 2)
        norms.insert(0, (pre @ w_ih).pow(2).sum(-1).sqrt())
        delta = pre @ w_hh
    return torch.stack(norms, dim=1).detach()
