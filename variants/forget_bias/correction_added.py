"""Unusual: adds what is missing to the sum, so that a second call adds nothing."""

import torch


def init_forget_bias(lstm, value=1.0):
    H = lstm.hidden_size
    biases = {n: p for n, p in lstm.named_parameters() if n.startswith("bias")}
    with torch.no_grad():
        for n, p in biases.items():
            if n.startswith("bias_ih"):
                other = biases[n.replace("_ih", "_hh")]
                missing = value - (p[H : 2 * H] + other[H : 2 * H])
                p[H : 2 * H].add_(missing)
