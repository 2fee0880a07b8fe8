"""The last two of a layer's parameters: with proj_size one of them is a weight."""

import torch


@torch.no_grad()
def init_forget_bias(lstm, value=1.0):
    for *_, b_ih, b_hh in lstm.all_weights:
        n = len(b_ih) // 4
        b_ih[n : 2 * n] = value
        b_hh[n : 2 * n] = 0
