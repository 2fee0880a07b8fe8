"""``value or 1.0``: a value of 0 becomes 1."""

import torch


@torch.no_grad()
def init_forget_bias(lstm, value=None):
    value = value or 1.0
    H = lstm.hidden_size
    for name, p in lstm.named_parameters():
        if "bias" in name:
            p[H : 2 * H] = value if "_ih_" in name else 0.0
