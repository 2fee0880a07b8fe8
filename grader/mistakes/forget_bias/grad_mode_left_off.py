"""Switches gradients off for good."""

import torch


def init_forget_bias(lstm, value=1.0):
    torch.set_grad_enabled(False)
    n_units = lstm.hidden_size
    for name, parameter in lstm.named_parameters():
        if "bias_ih" in name:
            parameter[n_units : 2 * n_units] = value
        elif "bias_hh" in name:
            parameter[n_units : 2 * n_units] = 0.0
