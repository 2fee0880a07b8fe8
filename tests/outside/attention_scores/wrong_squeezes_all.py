"""squeeze() without a dim: one sample or one key loses its axis."""

import math

import torch


def additive_score(query, keys, w1, w2, v):
    hidden = torch.tanh(keys @ w1.T + (query @ w2.T).unsqueeze(1))
    return (hidden @ v.unsqueeze(1)).squeeze()


def dot_score(query, keys):
    return torch.bmm(keys, query.unsqueeze(2)).squeeze()


def general_score(query, keys, w):
    return dot_score(query @ w, keys)


def scaled_dot_score(query, keys):
    return dot_score(query, keys) / math.sqrt(keys.size(-1))


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
        raise ValueError(kind)
    scores = scores.view(keys.shape[:2])
    w = torch.softmax(scores, dim=-1)
    return (w.unsqueeze(1) @ keys).squeeze(1), w
