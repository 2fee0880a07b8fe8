"""functools.reduce for the product, accumulate for the states, quantile for the median."""

from functools import reduce
from itertools import accumulate

import torch


def rescale_to_radius(w, radius):
    values = torch.linalg.eig(w).eigenvalues
    return w / values.abs().amax() * radius


def rnn_states(w, x):
    zero = torch.zeros_like(x[0])
    h = accumulate(x, lambda h, x_t: torch.tanh(torch.mv(w, h) + x_t), initial=zero)
    return torch.stack(list(h)[1:])


def step_jacobian(h, w):
    return (1 - h.square()).unsqueeze(-1) * w


def jacobian_product(states, w):
    return reduce(lambda J, h: step_jacobian(h, w) @ J, states[1:], step_jacobian(states[0], w))


def summarise(norms):
    return {
        "exploded": (norms > 1e3).float().mean().item(),
        "vanished": (norms < 1e-3).float().mean().item(),
        "max": norms.max().item(),
        "min": norms.min().item(),
        "median": norms.quantile(0.5).item(),
    }
