"""One backward pass for each row; gates as products of slices."""

import torch


def lstm_run(x, h0, c0, w_ih, w_hh, bias):
    H = len(h0)
    h, c = h0, c0
    forget = x.new_empty(0, H)
    for pushed in x @ w_ih.T + bias:
        gates = pushed + torch.mv(w_hh, h)
        squashed = gates.sigmoid()
        keep = squashed[H : 2 * H]
        c = keep * c + squashed[:H] * gates[2 * H : 3 * H].tanh()
        h = squashed[3 * H :] * c.tanh()
        forget = torch.cat([forget, keep[None]])
    return [c, forget]


def full_jacobian(x, h0, c0, w_ih, w_hh, bias):
    start = c0.detach().clone().requires_grad_(True)
    c_n, _ = lstm_run(x, h0.detach(), start, w_ih, w_hh, bias)
    rows = [torch.autograd.grad(c, start, retain_graph=True)[0] for c in c_n]
    return torch.stack(rows)


def direct_path(forget):
    share = torch.ones_like(forget[0])
    for gates in forget:
        share = share * gates
    return share


def rnn_jacobian(x, h0, w_ih, w_hh, bias):
    start = h0.detach().clone().requires_grad_(True)
    h = start
    for row in x:
        h = (row @ w_ih.T + h @ w_hh.T + bias).tanh()
    rows = [torch.autograd.grad(v, start, retain_graph=True)[0] for v in h]
    return torch.stack(rows)
