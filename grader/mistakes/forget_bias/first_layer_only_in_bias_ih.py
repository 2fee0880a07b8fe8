"""Sets layer 0 by its name and no other; bias_hh is left as it was."""

import torch


def init_forget_bias(lstm, value=1.0):
    n = lstm.hidden_size
    with torch.no_grad():
        lstm.bias_ih_l0[n : 2 * n].fill_(value)
