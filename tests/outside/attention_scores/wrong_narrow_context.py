"""squeeze() of the context drops the axis of keys of size 1."""

import math
import torch


def additive_score(query, keys, w1, w2, v):
    return torch.tanh(keys @ w1.T + (query @ w2.T).unsqueeze(1)) @ v


def dot_score(query, keys):
    return (keys @ query.unsqueeze(-1)).squeeze(-1)


def general_score(query, keys, w):
    return dot_score(query @ w, keys)


def scaled_dot_score(query, keys):
    return dot_score(query, keys) / math.sqrt(query.shape[-1])


def attend(kind, query, keys, **weights):
    scores = {
        "additive": additive_score,
        "dot": dot_score,
        "general": general_score,
        "scaled_dot": scaled_dot_score,
    }
    if kind not in scores:
        raise ValueError(f"unknown kind of score: {kind!r}")
    alpha = torch.softmax(scores[kind](query, keys, **weights), dim=-1)
    c = (keys.transpose(1, 2) @ alpha.unsqueeze(-1)).squeeze()
    return (c if c.dim() == 2 or len(query) > 1 else c.unsqueeze(0), alpha)
