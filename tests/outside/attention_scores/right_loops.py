"""One key of one sample at a time, torch.dot and torch.mv."""

import torch


def _every(query, keys, score):
    rows = []
    for q, sample in zip(query, keys, strict=True):
        rows.append(torch.stack([score(q, key) for key in sample]))
    return torch.stack(rows)


def additive_score(query, keys, w1, w2, v):
    def one(q, k):
        return torch.dot(v, torch.tanh(torch.mv(w1, k) + torch.mv(w2, q)))

    return _every(query, keys, one)


def dot_score(query, keys):
    return _every(query, keys, torch.dot)


def general_score(query, keys, w):
    return _every(query, keys, lambda q, k: q @ w @ k)


def scaled_dot_score(query, keys):
    return _every(query, keys, lambda q, k: torch.dot(q, k) / len(q) ** 0.5)


def attend(kind, query, keys, **weights):
    if kind not in ("additive", "dot", "general", "scaled_dot"):
        raise ValueError("no such score")
    score = globals()[kind + "_score"](query, keys, **weights)
    score = score - score.max(dim=1, keepdim=True).values
    e = score.exp()
    weights = e / e.sum(dim=1, keepdim=True)
    context = sum(weights[:, t, None] * keys[:, t] for t in range(keys.shape[1]))
    return context, weights
