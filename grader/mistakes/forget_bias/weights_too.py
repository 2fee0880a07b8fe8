"""Forgets to ask for biases: weight rows are filled too."""

import torch


def init_forget_bias(lstm, value=1.0):
    with torch.no_grad():
        for name, p in lstm.named_parameters():
            n = p.size(0) // 4
            p[n : 2 * n] = 0.0 if "hh" in name else value
