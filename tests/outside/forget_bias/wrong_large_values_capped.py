"""A value above 5 is taken for 5."""

import torch
from torch import nn


def init_forget_bias(lstm, value=1.0):
    H = lstm.hidden_size
    value = min(value, 5.0)
    with torch.no_grad():
        for name, p in lstm.named_parameters():
            if "bias_ih" in name:
                p[H : 2 * H].fill_(value)
            elif "bias_hh" in name:
                p[H : 2 * H].fill_(0)
    # end
