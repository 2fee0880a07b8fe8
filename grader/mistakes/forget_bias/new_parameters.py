"""Puts new Parameter objects in place of the old ones."""

from torch import nn


def init_forget_bias(lstm, value=1.0):
    H = lstm.hidden_size
    for name, p in list(lstm.named_parameters()):
        if name.startswith("bias"):
            new = p.detach().clone()
            new[H : 2 * H] = value if "_ih_" in name else 0.0
            setattr(lstm, name, nn.Parameter(new))
