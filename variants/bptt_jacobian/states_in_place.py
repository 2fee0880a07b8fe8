"""Fills a tensor of states row by row."""

import torch


def rescale_to_radius(w, radius):
    current = torch.linalg.eigvals(w).abs().max()
    return w * radius / current


def rnn_states(w, x):
    states = torch.zeros(len(x) + 1, x.shape[1], dtype=x.dtype)
    for t, row in enumerate(x):
        states[t + 1] = (row + states[t] @ w.T).tanh()
    return states[1:]


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
        "exploded": float((norms > 1e3).double().mean()),
        "vanished": float((norms < 1e-3).double().mean()),
    }
