"""A function for each gate; h' written as h + z (n - h); a generator converts."""

import torch


def _rows(k, H, *tensors):
    return [t[k * H : (k + 1) * H] for t in tensors]


def gru_cell(x, h, w_ih, w_hh, b_ih, b_hh, reset_after=False):
    H = h.size(-1)

    def parts(k, state):
        w, u, b, d = _rows(k, H, w_ih, w_hh, b_ih, b_hh)
        return x.matmul(w.T).add(b), state.matmul(u.T).add(d)

    r = sum(parts(0, h)).sigmoid()
    z = sum(parts(1, h)).sigmoid()
    if reset_after:
        a, b = parts(2, h)
        b = b * r
    else:
        a, b = parts(2, h * r)
    return h + z * ((a + b).tanh() - h)


def from_pytorch(w_ih, w_hh, b_ih, b_hh):
    def turned(t):
        r, z, n = t.chunk(3)
        return torch.cat([r, -z, n])

    return tuple(turned(t) for t in (w_ih, w_hh, b_ih, b_hh))


def gru_param_count(input_size, hidden_size):
    D, H = input_size, hidden_size
    return 3 * H * D + 3 * H * H + 3 * H + 3 * H
