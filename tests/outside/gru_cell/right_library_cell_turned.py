"""reset_after through torch.gru_cell with the weights turned; the other form by hand; h + z (n - h)."""
import torch


def from_pytorch(w_ih, w_hh, b_ih, b_hh):
    out = []
    for t in (w_ih, w_hh, b_ih, b_hh):
        r, z, n = t.detach().clone().chunk(3)
        out.append(torch.cat((r, torch.neg(z), n)))
    return tuple(out)


def _flip(t):
    r, z, n = t.chunk(3)
    return torch.cat((r, -z, n))


def gru_cell(x, h, w_ih, w_hh, b_ih, b_hh, reset_after=False):
    if reset_after:
        return torch.gru_cell(x, h, *map(_flip, (w_ih, w_hh, b_ih, b_hh)))
    W = [m.chunk(3) for m in (w_ih, w_hh, b_ih, b_hh)]
    r, z = [torch.sigmoid(x @ W[0][k].T + W[2][k] + h @ W[1][k].T + W[3][k]) for k in (0, 1)]
    n = torch.tanh(x @ W[0][2].T + W[2][2] + (r * h) @ W[1][2].T + W[3][2])
    return h + z * (n - h)


def gru_param_count(input_size, hidden_size):
    return sum(p.numel() for p in torch.nn.GRU(input_size, hidden_size).parameters())
