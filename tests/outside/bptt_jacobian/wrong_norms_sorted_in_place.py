"""The caller's norms are sorted through numpy's view."""

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
    product = torch.eye(len(w), dtype=w.dtype)
    for h in states:
        product = step_jacobian(h, w) @ product
    return product


def summarise(norms):
    n = norms.numpy()
    n.sort()
    middle = (n[(len(n) - 1) // 2] + n[len(n) // 2]) / 2
    return {
        "median": float(middle),
        "min": float(n[0]),
        "max": float(n[-1]),
        "exploded": float((n > 1e3).mean()),
        "vanished": float((n < 1e-3).mean()),
    }
