"""Plain Python and statistics.median; counted in powers of ten."""

import math
import statistics

import torch


def rescale_to_radius(w, radius):
    return w * (radius / torch.linalg.eigvals(w).abs().max())


def rnn_states(w, x):
    h, states = (torch.zeros_like(x[0]), [])
    for row in x:
        h = torch.tanh(w @ h + row)
        states.append(h)
    return torch.stack(states)


def step_jacobian(h, w):
    return (1 - h**2).unsqueeze(1) * w


def jacobian_product(states, w):
    product = torch.eye(w.shape[0], dtype=w.dtype)
    for h in states:
        product = step_jacobian(h, w) @ product
    return product


def summarise(norms):
    norms = norms.tolist()
    powers = [math.log10(v) for v in norms]
    return {
        "median": statistics.median(norms),
        "min": min(norms),
        "max": max(norms),
        "exploded": sum(p > 3 for p in powers) / len(powers),
        "vanished": sum(p < -3 for p in powers) / len(powers),
    }
