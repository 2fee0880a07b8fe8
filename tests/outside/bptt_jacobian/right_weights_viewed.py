"""The weights are given other axes by view: they arrive row after row."""

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
    n = len(h)
    return ((1 - h**2).repeat_interleave(n) * w.view(-1)).view(n, n)


def jacobian_product(states, w):
    product = torch.eye(w.shape[0], dtype=w.dtype)
    for h in states:
        product = step_jacobian(h, w) @ product
    return product


def summarise(norms):
    norms = norms.double()
    return {
        "median": float(norms.quantile(0.5)),
        "min": float(norms.min()),
        "max": float(norms.max()),
        "exploded": float((norms > 1000.0).double().mean()),
        "vanished": float((norms < 0.001).double().mean()),
    }
