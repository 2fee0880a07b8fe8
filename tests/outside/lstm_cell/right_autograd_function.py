"""The pointwise part is a Function with its backward by hand."""

import torch
from torch.autograd import Function


class Pointwise(Function):
    @staticmethod
    def forward(ctx, gates, c):
        i, f, g, o = gates.chunk(4, 1)
        i, f, g, o = i.sigmoid(), f.sigmoid(), g.tanh(), o.sigmoid()
        c_new = f * c + i * g
        tc = c_new.tanh()
        ctx.save_for_backward(i, f, g, o, c, tc)
        return o * tc, c_new

    @staticmethod
    def backward(ctx, dh, dc):
        i, f, g, o, c, tc = ctx.saved_tensors
        dc = dc + dh * o * (1 - tc**2)
        d_i = dc * g * i * (1 - i)
        d_f = dc * c * f * (1 - f)
        d_g = dc * i * (1 - g**2)
        d_o = dh * tc * o * (1 - o)
        return torch.cat([d_i, d_f, d_g, d_o], 1), dc * f


def lstm_cell(x, h, c, w_ih, w_hh, b_ih, b_hh):
    gates = torch.cat((x, h), 1) @ torch.cat((w_ih, w_hh), 1).t() + b_ih + b_hh
    return Pointwise.apply(gates, c)


def lstm_param_count(input_size, hidden_size):
    counted = 0
    for columns in (input_size, hidden_size, 1, 1):
        counted += 4 * hidden_size * columns
    return counted
