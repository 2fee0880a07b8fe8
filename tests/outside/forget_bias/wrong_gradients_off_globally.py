"""Gradients are switched off for good: nothing computed later has a graph."""

import torch


def init_forget_bias(lstm, value=1.0):
    torch.set_grad_enabled(False)
    H = lstm.hidden_size
    for name, p in lstm.named_parameters():
        if "bias" in name:
            p[H : 2 * H] = value / 2
