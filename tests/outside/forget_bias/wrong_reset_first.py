"""All parameters are drawn anew first, so that nothing old remains."""

import torch


@torch.no_grad()
def init_forget_bias(lstm, value=1.0):
    lstm.reset_parameters()
    H = lstm.hidden_size
    for name, p in lstm.named_parameters():
        if "bias" in name:
            p[H : 2 * H] = value / 2
