"""The value is rounded to float16."""

import torch
from torch import nn


def init_forget_bias(lstm, value=1.0):
    H = lstm.hidden_size
    value = float(torch.tensor(value).half())
    with torch.no_grad():
        for name, p in lstm.named_parameters():
            if "bias_ih" in name:
                p[H : 2 * H].fill_(value)
            elif "bias_hh" in name:
                p[H : 2 * H].fill_(0)
    # end
