"""numpy with views back to torch; statistics.median."""

import statistics

import numpy as np
import torch


def rescale_to_radius(w, radius):
    rho = np.abs(np.linalg.eigvals(w.numpy())).max()
    return w * (radius / float(rho))


def rnn_states(w, x):
    W, X = w.numpy(), x.numpy()
    states = np.zeros_like(X)
    h = np.zeros(X.shape[1], dtype=X.dtype)
    for t, x_t in enumerate(X):
        h = np.tanh(W.dot(h) + x_t)
        states[t] = h
    return torch.from_numpy(states)


def step_jacobian(h, w):
    return torch.diag(1 - h * h) @ w


def jacobian_product(states, w):
    J = np.eye(w.shape[0], dtype=states.numpy().dtype)
    for h in states.numpy():
        J = ((1 - h**2)[:, None] * w.numpy()) @ J
    return torch.as_tensor(J)


def summarise(norms):
    values = norms.tolist()
    N = len(values)
    return dict(
        median=statistics.median(values),
        min=min(values),
        max=max(values),
        exploded=sum(v > 1e3 for v in values) / N,
        vanished=sum(v < 1e-3 for v in values) / N,
    )
