"""einsum for everything, the subscripts looked up in a table."""

import torch

RULES = {"dot": "bd,btd->bt", "general": "bq,qk,btk->bt"}


def additive_score(query, keys, w1, w2, v):
    hidden = torch.einsum("ak,btk->bta", w1, keys)
    hidden = hidden + torch.einsum("aq,bq->ba", w2, query)[:, None, :]
    return torch.einsum("a,bta->bt", v, torch.tanh(hidden))


def dot_score(query, keys):
    return torch.einsum(RULES["dot"], query, keys)


def general_score(query, keys, w):
    return torch.einsum(RULES["general"], query, w, keys)


def scaled_dot_score(query, keys):
    return dot_score(query * query.size(-1) ** -0.5, keys)


def attend(kind, query, keys, **weights):
    fns = {
        "additive": additive_score,
        "dot": dot_score,
        "general": general_score,
        "scaled_dot": scaled_dot_score,
    }
    if kind not in fns:
        raise ValueError(f"unknown kind {kind!r}; one of {sorted(fns)}")
    alpha = torch.softmax(fns[kind](query, keys, **weights), dim=1)
    return torch.einsum("bt,btk->bk", alpha, keys), alpha
