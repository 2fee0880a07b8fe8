"""No packing and no call of the LSTM: its weights are read and the steps written out, masked by where."""
import torch
from torch import nn


def _one_way(x, w_ih, w_hh, b, keep, reverse):
    B, T, _ = x.shape
    H = w_hh.shape[1]
    h = x.new_zeros(B, H)
    c = x.new_zeros(B, H)
    outs = [None] * T
    order = reversed(range(T)) if reverse else range(T)
    for t in order:
        i, f, g, o = (x[:, t] @ w_ih.T + h @ w_hh.T + b).chunk(4, 1)
        c2 = f.sigmoid() * c + i.sigmoid() * g.tanh()
        h2 = o.sigmoid() * c2.tanh()
        k = keep[:, t, None]
        h, c = torch.where(k, h2, h), torch.where(k, c2, c)
        outs[t] = torch.where(k, h2, torch.zeros_like(h2))
    return torch.stack(outs, 1), h, c


def encode_packed(lstm: nn.LSTM, x, lengths):
    T = x.size(1)
    lengths = [int(n) for n in lengths]
    for n in lengths:
        if not 1 <= n <= T:
            raise ValueError("bad length %d" % n)
    keep = torch.arange(T)[None] < torch.tensor(lengths)[:, None]
    layer_in = torch.where(keep[..., None], x, torch.zeros_like(x))
    hs, cs = [], []
    for layer in range(lstm.num_layers):
        outs = []
        for suffix in ("", "_reverse")[: 1 + lstm.bidirectional]:
            p = [getattr(lstm, f"{n}_l{layer}{suffix}") for n in ("weight_ih", "weight_hh")]
            b = 0
            if lstm.bias:
                b = getattr(lstm, f"bias_ih_l{layer}{suffix}") + getattr(lstm, f"bias_hh_l{layer}{suffix}")
            out, h, c = _one_way(layer_in, *p, b, keep, bool(suffix))
            outs.append(out)
            hs.append(h)
            cs.append(c)
        layer_in = torch.cat(outs, -1)
    return layer_in, (torch.stack(hs), torch.stack(cs))


def last_hidden(h_n, bidirectional=False):
    if not bidirectional:
        return h_n.select(0, -1)
    return torch.hstack(h_n.unbind(0)[-2:])
