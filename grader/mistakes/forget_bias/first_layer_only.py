"""Sets layer 0 by its name and no other."""

import torch


def init_forget_bias(lstm, value=1.0):
    H = lstm.hidden_size
    with torch.no_grad():
        lstm.bias_ih_l0[H : 2 * H] = value
        lstm.bias_hh_l0[H : 2 * H] = 0.0
