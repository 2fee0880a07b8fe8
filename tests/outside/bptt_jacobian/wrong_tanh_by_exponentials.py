"""tanh as a quotient of exponentials: inf / inf for inputs of some hundred."""

import torch


def rescale_to_radius(w, radius):
    return w * (radius / torch.linalg.eigvals(w).abs().max())


def rnn_states(w, x):
    h, s = (torch.zeros_like(x[0]), [])
    for row in x:
        a = w @ h + row
        h = (a.exp() - (-a).exp()) / (a.exp() + (-a).exp())
        s.append(h)
    return torch.stack(s)


def step_jacobian(h, w):
    return (1 - h**2).unsqueeze(1) * w


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
