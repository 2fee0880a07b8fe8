"""General score by projecting the keys; a table of functions."""

import torch


def additive_score(query, keys, w1, w2, v):
    from_keys = keys @ w1.T
    from_query = query @ w2.T
    return torch.tanh(from_keys + from_query.unsqueeze(1)) @ v


def dot_score(query, keys):
    return torch.einsum("bd,btd->bt", query, keys)


def general_score(query, keys, w):
    return ((keys @ w.T) * query[:, None]).sum(-1)


def scaled_dot_score(query, keys):
    d = query.shape[-1]
    return dot_score(query, keys) / d**0.5


def attend(kind, query, keys, **weights):
    if kind not in ("additive", "dot", "general", "scaled_dot"):
        raise ValueError(kind)
    scores = globals()[kind + "_score"](query, keys, **weights)
    alpha = torch.softmax(scores, dim=1)
    context = torch.einsum("bt,btd->bd", alpha, keys)
    return context, alpha
