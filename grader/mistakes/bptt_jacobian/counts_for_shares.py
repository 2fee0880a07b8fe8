"""Counts instead of giving shares."""

import torch


def rescale_to_radius(w, radius):
    current = torch.linalg.eigvals(w).abs().max()
    return w * radius / current


def rnn_states(w, x):
    h = torch.zeros(x.shape[1], dtype=x.dtype)
    states = []
    for t in range(len(x)):
        h = torch.tanh(w @ h + x[t])
        states.append(h)
    return torch.stack(states)


def step_jacobian(h, w):
    return torch.diag(1 - h**2) @ w


def jacobian_product(states, w):
    product = torch.eye(len(w), dtype=w.dtype)
    for h in states:
        product = step_jacobian(h, w) @ product
    return product


def summarise(norms):
    ordered = norms.sort().values
    n = len(ordered)
    return {
        "median": float((ordered[(n - 1) // 2] + ordered[n // 2]) / 2),
        "min": float(ordered[0]),
        "max": float(ordered[-1]),
        "exploded": float((norms > 1e3).double().sum()),
        "vanished": float((norms < 1e-3).double().sum()),
    }
