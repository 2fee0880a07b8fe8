"""Lists and the statistics module, a diagonal matrix, reduce for the product."""

import statistics
from functools import reduce

import torch


def rescale_to_radius(w, radius):
    values = torch.linalg.eigvals(w)
    largest = max(abs(value) for value in values.tolist())
    return radius / largest * w


def rnn_states(w, x):
    states = []
    for t, row in enumerate(x):
        before = states[t - 1] @ w.T if t else 0.0
        states.append((before + row).tanh())
    return torch.vstack(states)


def step_jacobian(h, w):
    return torch.diag(1 - h * h) @ w


def jacobian_product(states, w):
    steps = [step_jacobian(h, w) for h in states]
    return reduce(lambda done, step: step @ done, steps)


def summarise(norms):
    values = norms.tolist()
    return {
        "vanished": sum(v < 1e-3 for v in values) / len(values),
        "exploded": sum(v > 1e3 for v in values) / len(values),
        "max": max(values),
        "min": min(values),
        "median": statistics.median(values),
    }
