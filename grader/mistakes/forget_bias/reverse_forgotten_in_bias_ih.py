"""Walks over the layers, but not over the backward direction; bias_hh is left as it was."""

import torch


def init_forget_bias(lstm, value=1.0):
    n = lstm.hidden_size
    for layer in range(lstm.num_layers):
        with torch.no_grad():
            getattr(lstm, f"bias_ih_l{layer}")[n : 2 * n].fill_(value)
