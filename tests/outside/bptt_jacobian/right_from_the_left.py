"""Multiplies from the last step down, column by column; the tensors stay row vectors."""

import torch


def rescale_to_radius(w, radius):
    rho = torch.linalg.eigvals(w).abs().max().item()
    out = w.detach().clone()
    out.mul_(radius / rho)
    return out


def rnn_states(w, x):
    h = torch.zeros(1, x.shape[1], dtype=x.dtype)
    rows = []
    for k in range(x.shape[0]):
        h = torch.tanh(torch.nn.functional.linear(h, w) + x[k : k + 1])
        rows.append(h)
    return torch.cat(rows, dim=0)


def step_jacobian(h, w):
    n = len(h)
    J = torch.empty_like(w)
    for i in range(n):
        for j in range(n):
            J[i, j] = (1 - h[i] ** 2) * w[i, j]
    return J


def jacobian_product(states, w):
    T, n = states.shape
    J = torch.eye(n, dtype=w.dtype)
    for t in range(T - 1, -1, -1):
        J = J @ step_jacobian(states[t], w)
    return J


def summarise(norms):
    n = norms.numel()
    low = norms.median()
    high = -(-norms).median()
    count = torch.stack([norms > 1e3, norms < 1e-3]).sum(1).tolist()
    return {
        "median": ((low + high) / 2).item(),
        "min": torch.min(norms).item(),
        "max": torch.max(norms).item(),
        "exploded": count[0] / n,
        "vanished": count[1] / n,
    }
