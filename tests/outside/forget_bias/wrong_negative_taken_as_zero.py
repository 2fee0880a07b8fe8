"""A negative value is thought to be a slip and becomes 0."""

import torch


@torch.no_grad()
def init_forget_bias(lstm, value=1.0):
    value = max(value, 0.0)
    H = lstm.hidden_size
    for name, p in lstm.named_parameters():
        if "bias" in name:
            p[H : 2 * H] = value / 2
