"""One sample at a time; the old state keeps sigmoid(-a) of itself."""

import torch


class Weights:
    def __init__(self, w, u, b, d):
        self.w, self.u, self.b, self.d = w, u, b, d


def _split(w_ih, w_hh, b_ih, b_hh):
    H = b_ih.numel() // 3
    columns = [t.split(H, dim=0) for t in (w_ih, w_hh, b_ih, b_hh)]
    return [Weights(*part) for part in zip(*columns)]


def _one(x, h, r, z, n, after):
    reset = torch.sigmoid(r.w @ x + r.b + r.u @ h + r.d)
    a = z.w @ x + z.b + z.u @ h + z.d
    new = n.w @ x + n.b
    new = new + (reset * (n.u @ h + n.d) if after else n.u @ (reset * h) + n.d)
    return torch.sigmoid(-a) * h + torch.sigmoid(a) * torch.tanh(new)


def gru_cell(x, h, w_ih, w_hh, b_ih, b_hh, reset_after=False):
    parts = _split(w_ih, w_hh, b_ih, b_hh)
    rows = [_one(x[b], h[b], *parts, reset_after) for b in range(x.shape[0])]
    return torch.stack(rows, 0)


def from_pytorch(w_ih, w_hh, b_ih, b_hh):
    H = b_ih.shape[0] // 3
    rows = torch.arange(H, 2 * H)
    return tuple(
        t.index_copy(0, rows, t.index_select(0, rows).neg())
        for t in [w_ih, w_hh, b_ih, b_hh]
    )


def gru_param_count(input_size, hidden_size):
    return torch.empty(3, hidden_size, input_size + hidden_size + 2, device="meta").numel()
