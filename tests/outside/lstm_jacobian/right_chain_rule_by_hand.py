"""dh and dc with respect to c_0 are carried along the run; no autograd at all."""

import torch


def _step(x, h, c, w_ih, w_hh, bias):
    i, f, g, o = (w_ih @ x + w_hh @ h + bias).chunk(4)
    return i.sigmoid(), f.sigmoid(), g.tanh(), o.sigmoid()


def lstm_run(x, h0, c0, w_ih, w_hh, bias):
    h, c, forget = h0, c0, []
    for x_t in x:
        i, f, g, o = _step(x_t, h, c, w_ih, w_hh, bias)
        c = f * c + i * g
        h = o * c.tanh()
        forget.append(f)
    return c, torch.stack(forget)


def full_jacobian(x, h0, c0, w_ih, w_hh, bias):
    H = len(c0)
    h, c = h0, c0
    dh, dc = torch.zeros(H, H, dtype=c0.dtype), torch.eye(H, dtype=c0.dtype)
    Ui, Uf, Ug, Uo = w_hh.chunk(4)
    for x_t in x:
        i, f, g, o = _step(x_t, h, c, w_ih, w_hh, bias)
        di = (i * (1 - i))[:, None] * (Ui @ dh)
        df = (f * (1 - f))[:, None] * (Uf @ dh)
        dg = (1 - g * g)[:, None] * (Ug @ dh)
        do = (o * (1 - o))[:, None] * (Uo @ dh)
        dc = f[:, None] * dc + c[:, None] * df + g[:, None] * di + i[:, None] * dg
        c = f * c + i * g
        tc = c.tanh()
        dh = tc[:, None] * do + (o * (1 - tc * tc))[:, None] * dc
        h = o * tc
    return dc


def direct_path(forget):
    return torch.prod(forget, 0)


def rnn_jacobian(x, h0, w_ih, w_hh, bias):
    h, J = h0, torch.eye(len(h0), dtype=h0.dtype)
    for x_t in x:
        h = torch.tanh(w_ih @ x_t + w_hh @ h + bias)
        J = (1 - h * h)[:, None] * w_hh @ J
    return J
