"""Unusual: half of the value in each of the two."""

import torch


@torch.no_grad()
def init_forget_bias(lstm, value=1.0):
    for name, p in lstm.named_parameters():
        if "bias" in name:
            p.chunk(4)[1].fill_(value / 2)
    return lstm
