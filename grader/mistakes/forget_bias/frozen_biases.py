"""Turns gradients off to write, and never on again."""

import torch


def init_forget_bias(lstm, value=1.0):
    for name, p in lstm.named_parameters():
        if name.startswith("bias"):
            n = p.size(0) // 4
            p.requires_grad_(False)
            p[n : 2 * n] = value if "_ih_" in name else 0.0
