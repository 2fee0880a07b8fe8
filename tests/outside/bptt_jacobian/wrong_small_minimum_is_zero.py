"""A minimum below 1e-12 is reported as 0."""

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


def _plain_summarise(norms):
    norms = norms.double()
    return {
        "median": float(norms.quantile(0.5)),
        "min": float(norms.min()),
        "max": float(norms.max()),
        "exploded": float((norms > 1000.0).double().mean()),
        "vanished": float((norms < 0.001).double().mean()),
    }


def summarise(norms):
    f = _plain_summarise(norms)
    f["min"] = f["min"] if f["min"] > 1e-12 else 0.0
    return f
