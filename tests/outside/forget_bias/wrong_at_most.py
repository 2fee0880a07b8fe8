"""Lowers what is higher, leaves what is lower."""

import torch
from torch import nn


def init_forget_bias(lstm, value=1.0):
    H = lstm.hidden_size
    # start
    with torch.no_grad():
        for name, p in lstm.named_parameters():
            if "bias_ih" in name:
                p[H : 2 * H].clamp_(max=value)
            elif "bias_hh" in name:
                p[H : 2 * H].fill_(0)
    # end
