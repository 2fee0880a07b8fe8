"""Reads H off the second axis of weight_hh, which is P with projections."""

import torch


def init_forget_bias(lstm, value=1.0):
    n = lstm.weight_hh_l0.size(1)
    with torch.no_grad():
        for name, p in lstm.named_parameters():
            if name.startswith("bias"):
                p[n : 2 * n] = value if "_ih_" in name else 0.0
