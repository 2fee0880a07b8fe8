"""An Enum of str checks the kind: Kind("...") raises ValueError by itself."""
from enum import Enum

import torch
from torch.nn.functional import softmax


class Kind(str, Enum):
    ADDITIVE = "additive"
    DOT = "dot"
    GENERAL = "general"
    SCALED = "scaled_dot"


def additive_score(query, keys, w1, w2, v):
    return (torch.tanh(keys.matmul(w1.mT) + query.matmul(w2.mT)[:, None]) * v).sum(-1)


def dot_score(query, keys):
    return torch.matmul(keys, query[..., None])[..., 0]


def general_score(query, keys, w):
    return torch.matmul(torch.matmul(keys, w.T), query[..., None])[..., 0]


def scaled_dot_score(query, keys):
    d = query.shape[1]
    return dot_score(query * d ** -0.25, keys * d ** -0.25)


def attend(kind, query, keys, **weights):
    match Kind(kind):
        case Kind.ADDITIVE:
            scores = additive_score(query, keys, **weights)
        case Kind.DOT:
            scores = dot_score(query, keys)
        case Kind.GENERAL:
            scores = general_score(query, keys, **weights)
        case Kind.SCALED:
            scores = scaled_dot_score(query, keys)
    shares = softmax(scores, dim=-1)
    return torch.bmm(shares.unsqueeze(1), keys).squeeze(1), shares
