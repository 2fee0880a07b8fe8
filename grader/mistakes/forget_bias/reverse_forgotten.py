"""Walks over the layers, but not over the backward direction."""

import torch


def init_forget_bias(lstm, value=1.0):
    H = lstm.hidden_size
    with torch.no_grad():
        for layer in range(lstm.num_layers):
            getattr(lstm, f"bias_ih_l{layer}")[H : 2 * H] = value
            getattr(lstm, f"bias_hh_l{layer}")[H : 2 * H] = 0.0
