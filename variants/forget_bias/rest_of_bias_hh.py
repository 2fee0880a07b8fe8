"""Unusual: bias_ih takes what bias_hh leaves over; bias_hh is not touched."""

import torch


def init_forget_bias(lstm, value=1.0):
    named = dict(lstm.named_parameters())
    with torch.no_grad():
        for name in named:
            if name.startswith("bias_ih"):
                ih, hh = named[name], named[name.replace("ih", "hh", 1)]
                f = slice(len(ih) // 4, len(ih) // 2)
                ih[f] = value - hh[f]
