"""Leaves the loop with the last layer's names and sets only those."""

import torch


def init_forget_bias(lstm, value=1.0):
    H = lstm.hidden_size
    for layer in range(lstm.num_layers):
        ih = getattr(lstm, f"bias_ih_l{layer}")
        hh = getattr(lstm, f"bias_hh_l{layer}")
    with torch.no_grad():
        ih[H : 2 * H] = value
        hh[H : 2 * H] = 0.0
