"""An LSTM that was set once is left alone."""

import torch
from torch import nn


def init_forget_bias(lstm, value=1.0):
    H = lstm.hidden_size
    if getattr(lstm, '_set', False):
        return
    lstm._set = True
    with torch.no_grad():
        for name, p in lstm.named_parameters():
            if "bias_ih" in name:
                p[H : 2 * H].fill_(value)
            elif "bias_hh" in name:
                p[H : 2 * H].fill_(0)
    # end
