"""Spaces and capitals of a kind are forgiven; other kinds are refused."""

import math

import torch


def additive_score(query, keys, w1, w2, v):
    return torch.tanh(keys @ w1.T + (query @ w2.T).unsqueeze(1)) @ v


def dot_score(query, keys):
    return (keys @ query.unsqueeze(-1)).squeeze(-1)


def general_score(query, keys, w):
    return dot_score(query @ w, keys)


def scaled_dot_score(query, keys):
    return dot_score(query, keys) / math.sqrt(query.size(-1))


def attend(kind, query, keys, **weights):
    kind = str(kind).strip().lower()
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
    w = torch.softmax(scores, dim=-1)
    return (w.unsqueeze(1) @ keys).squeeze(1), w
