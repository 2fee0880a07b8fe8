"""One row at a time by autograd.grad; inputs of its own; 中文变量名。"""

from functools import reduce

import torch


def lstm_run(x, h0, c0, w_ih, w_hh, bias):
    隐藏数 = h0.numel()
    h, c = h0[None], c0[None]
    遗忘 = torch.zeros(len(x), 隐藏数, dtype=x.dtype)
    for t in range(len(x)):
        门 = x[t : t + 1] @ w_ih.T + h @ w_hh.T + bias
        i, f, g, o = 门.split(隐藏数, dim=1)
        遗忘[t] = f.detach().sigmoid()[0]
        c = f.sigmoid() * c + i.sigmoid() * g.tanh()
        h = o.sigmoid() * c.tanh()
    return c.squeeze(0), 遗忘


def _逐行(输出, 输入):
    行 = []
    for 值 in 输出:
        行.append(torch.autograd.grad(值, 输入, retain_graph=True)[0])
    return torch.stack(行)


def full_jacobian(x, h0, c0, w_ih, w_hh, bias):
    起点 = c0.detach().clone().requires_grad_()
    return _逐行(lstm_run(x, h0, 起点, w_ih, w_hh, bias)[0], 起点)


def direct_path(forget):
    return reduce(torch.mul, forget)


def rnn_jacobian(x, h0, w_ih, w_hh, bias):
    起点 = h0.detach().clone().requires_grad_()
    终点 = reduce(lambda h, x_t: torch.tanh(w_ih @ x_t + w_hh @ h + bias), x, 起点)
    return _逐行(终点, 起点)
