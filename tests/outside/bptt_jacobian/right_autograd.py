"""The step's Jacobian by autograd at the pre-activation; multi_dot; a class of methods."""

import numpy as np
import torch
from torch.autograd.functional import jacobian


class Network:
    def __init__(self, w):
        self.w = w

    def __call__(self, h, x):
        return (h @ self.w.T + x).tanh()

    def derivative(self, h):
        """Backward of tanh, given its output."""
        ones = torch.ones_like(h)
        return torch.ops.aten.tanh_backward(ones, h)


def rescale_to_radius(w, radius):
    factor = float(radius) / max(abs(v) for v in torch.linalg.eigvals(w).tolist())
    return factor * w.clone()


def rnn_states(w, x):
    net, h, out = Network(w), x.new_zeros(x.size(1)), []
    for step in x.split(1):
        h = net(h, step[0])
        out.append(h)
    return torch.vstack(out)


def step_jacobian(h, w):
    inner = Network(w).derivative(h)
    return jacobian(lambda before: inner * (w @ before), torch.zeros_like(h))


def jacobian_product(states, w):
    steps = [step_jacobian(h, w) for h in states.flip(0)]
    return torch.linalg.multi_dot(steps) if len(steps) > 1 else steps[0]


def summarise(norms):
    n = norms.numpy()
    table = {"median": np.median(n), "min": n.min(), "max": n.max()}
    table["exploded"] = (n > 1e3).mean()
    table["vanished"] = (n < 1e-3).mean()
    return {key: float(value) for key, value in table.items()}
