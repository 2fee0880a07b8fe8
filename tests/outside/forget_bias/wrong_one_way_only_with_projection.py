"""With proj_size the reverse direction is left out."""

import torch
from torch import nn


def init_forget_bias(lstm, value=1.0):
    H = lstm.hidden_size
    # start
    with torch.no_grad():
        for name, p in lstm.named_parameters():
            if lstm.proj_size and 'reverse' in name:
                continue
            if "bias_ih" in name:
                p[H : 2 * H].fill_(value)
            elif "bias_hh" in name:
                p[H : 2 * H].fill_(0)
    # end
