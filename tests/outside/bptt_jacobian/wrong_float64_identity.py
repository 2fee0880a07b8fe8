"""The identity is float64: float32 states raise."""

import torch


def rescale_to_radius(w, radius):
    return w * (radius / torch.linalg.eigvals(w).abs().max())


def rnn_states(w, x):
    h, states = torch.zeros_like(x[0]), []
    for x_k in x:
        h = torch.tanh(w @ h + x_k)
        states.append(h)
    return torch.stack(states)


def step_jacobian(h, w):
    return (1 - h**2)[:, None] * w


def jacobian_product(states, w):
    product = torch.eye(len(w), dtype=torch.float64)
    for h in states:
        product = step_jacobian(h, w) @ product
    return product


def summarise(norms):
    return {
        "median": norms.quantile(0.5).item(),
        "min": norms.min().item(),
        "max": norms.max().item(),
        "exploded": (norms > 1e3).double().mean().item(),
        "vanished": (norms < 1e-3).double().mean().item(),
    }
