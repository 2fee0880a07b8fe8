"""Changes a copy of the parameters."""

import torch


def init_forget_bias(lstm, value=1.0):
    for name, p in lstm.named_parameters():
        if name.startswith("bias"):
            n = p.size(0) // 4
            bias = p.detach().clone()
            bias[n : 2 * n] = value if "_ih_" in name else 0.0
