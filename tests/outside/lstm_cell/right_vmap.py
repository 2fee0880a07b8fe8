"""vmap over the batch, unflatten and unbind, the exponential by hand."""

import torch


def logistic(a):
    return torch.exp(torch.nn.functional.logsigmoid(a))


def lstm_cell(x, h, c, w_ih, w_hh, b_ih, b_hh):
    def one(x, h, c):
        a = torch.addmv(b_ih, w_ih, x) + torch.addmv(b_hh, w_hh, h)
        i, f, g, o = a.unflatten(0, (4, -1)).unbind(0)
        new = logistic(f) * c + logistic(i) * torch.tanh(g)
        return logistic(o) * torch.tanh(new), new

    return torch.vmap(one)(x, h, c)


def lstm_param_count(input_size, hidden_size):
    with torch.device("meta"):
        shapes = [
            torch.empty(4 * hidden_size, input_size),
            torch.empty(4 * hidden_size, hidden_size),
            torch.empty(2, 4 * hidden_size),
        ]
    return sum(s.numel() for s in shapes)
