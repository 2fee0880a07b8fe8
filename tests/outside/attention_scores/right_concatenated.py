"""The additive score as one matrix on [key; query]; general as F.bilinear."""

import math

import torch
import torch.nn.functional as F


def _stretched(query, keys):
    return query.unsqueeze(1).expand(-1, keys.size(1), -1)


def additive_score(query, keys, w1, w2, v):
    both = torch.cat([keys, _stretched(query, keys)], dim=-1)
    hidden = F.linear(both, torch.cat([w1, w2], dim=1)).tanh()
    return F.linear(hidden, v.unsqueeze(0)).squeeze(-1)


def dot_score(query, keys):
    return (query.unsqueeze(1) * keys).sum(dim=-1)


def general_score(query, keys, w):
    q = _stretched(query, keys)
    return F.bilinear(q.contiguous(), keys, w.unsqueeze(0)).squeeze(-1)


def scaled_dot_score(query, keys):
    return dot_score(query, keys) / math.sqrt(query.shape[-1])


def attend(kind, query, keys, **weights):
    match kind:
        case "additive":
            score = additive_score(query, keys, **weights)
        case "dot":
            score = dot_score(query, keys)
        case "general":
            score = general_score(query, keys, weights["w"])
        case "scaled_dot":
            score = scaled_dot_score(query, keys)
        case _:
            raise ValueError(kind)
    w = F.softmax(score, dim=-1)
    return torch.bmm(w.unsqueeze(1), keys).squeeze(1), w
