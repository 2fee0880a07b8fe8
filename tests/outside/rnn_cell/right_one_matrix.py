"""[x, h] against [W_ih, W_hh] in one product; the states fill a tensor in place."""

import torch


def rnn_step(x, h, w_ih, w_hh, b_ih, b_hh):
    both = torch.cat([x, h], dim=1) @ torch.cat([w_ih, w_hh], dim=1).T
    return (both + (b_ih + b_hh)).tanh()


def rnn_forward(x, h0, w_ih, w_hh, b_ih, b_hh):
    B, T, _ = x.shape
    output = x.new_zeros(B, T, h0.shape[1])
    h = h0
    for t in range(T):
        h = rnn_step(x[:, t], h, w_ih, w_hh, b_ih, b_hh)
        output[:, t, :] = h
    return output, output[:, -1]


def grad_norm_by_step(x, h0, w_ih, w_hh, b_ih, b_hh):
    with torch.enable_grad():
        steps = [s.detach().requires_grad_() for s in x.unbind(1)]
        h = h0
        for s in steps:
            h = rnn_step(s, h, w_ih, w_hh, b_ih, b_hh)
        grads = torch.autograd.grad(h.sum(), steps)
    return torch.stack([torch.linalg.vector_norm(g, dim=1) for g in grads], dim=1)
