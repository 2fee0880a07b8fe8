"""Puts W the other way round where it fits."""

import torch


def additive_score(query, keys, w1, w2, v):
    from_keys = keys @ w1.T
    from_query = query @ w2.T
    return torch.tanh(from_keys + from_query.unsqueeze(1)) @ v


def dot_score(query, keys):
    return torch.einsum("bd,btd->bt", query, keys)


def general_score(query, keys, w):
    w = w.T.reshape(w.shape)
    return torch.einsum("bq,qk,btk->bt", query, w, keys)


def scaled_dot_score(query, keys):
    d = query.shape[-1]
    return dot_score(query, keys) / d**0.5


def attend(kind, query, keys, **weights):
    if kind == "additive":
        scores = additive_score(query, keys, **weights)
    elif kind == "dot":
        scores = dot_score(query, keys)
    elif kind == "general":
        scores = general_score(query, keys, **weights)
    elif kind == "scaled_dot":
        scores = scaled_dot_score(query, keys)
    else:
        raise ValueError("unknown kind " + kind)
    alpha = torch.softmax(scores, dim=1)
    context = torch.einsum("bt,btd->bd", alpha, keys)
    return context, alpha
