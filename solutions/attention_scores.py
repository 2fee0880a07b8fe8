"""Four ways to score a key against a query (day 4, 5.5; origins, attention).

Try it: make check EX=attention_scores

Attention needs one number for each (query, key): how well do they match?
Bahdanau's answer was a small network, Luong's a plain or a weighted dot
product, the Transformer's a dot product over sqrt(d): all are computed here
for every key of a sequence at once.
Conventions: in the additive score W1 acts on the **keys** and W2 on the
**query** (day 4 writes it the other way round), and the scale is always
sqrt(d), the root included, with d the last size of the query.
Arguments stay as they are; results have their dtype and its full precision;
gradients reach every tensor that is passed in.
"""

import math

import torch


def additive_score(
    query: torch.Tensor,
    keys: torch.Tensor,
    w1: torch.Tensor,
    w2: torch.Tensor,
    v: torch.Tensor,
) -> torch.Tensor:
    """score[t] = v · tanh(W1 keys[t] + W2 query).

    Args:
        query: (B, Dq).
        keys: (B, T, Dk).
        w1: (Da, Dk), for the keys.
        w2: (Da, Dq), for the query.
        v: (Da,).

    Returns:
        (B, T).
    """
    # BEGIN SOLUTION additive_score (TODO 1 of 5): both projections, the query's stretched over T. About 2 lines.
    # (B, T, Da) + (B, 1, Da) -> (B, T, Da)
    return torch.tanh(keys @ w1.T + (query @ w2.T).unsqueeze(1)) @ v
    # END SOLUTION


def dot_score(query: torch.Tensor, keys: torch.Tensor) -> torch.Tensor:
    """score[t] = query · keys[t], for (B, D) and (B, T, D); gives (B, T)."""
    # BEGIN SOLUTION dot_score (TODO 2 of 5): one dot product for each key. 1 line.
    return (keys @ query.unsqueeze(-1)).squeeze(-1)
    # END SOLUTION


def general_score(
    query: torch.Tensor, keys: torch.Tensor, w: torch.Tensor
) -> torch.Tensor:
    """score[t] = query^T W keys[t].

    Args:
        query: (B, Dq).
        keys: (B, T, Dk).
        w: (Dq, Dk).

    Returns:
        (B, T).
    """
    # BEGIN SOLUTION general_score (TODO 3 of 5): bring the query into the space of the keys, then as above. 1 line.
    return dot_score(query @ w, keys)
    # END SOLUTION


def scaled_dot_score(query: torch.Tensor, keys: torch.Tensor) -> torch.Tensor:
    """The dot score over sqrt(D), for (B, D) and (B, T, D); gives (B, T).

    A dot product of D independent terms of variance 1 has variance D; over
    sqrt(D) it has variance 1, whatever D is.
    """
    # BEGIN SOLUTION scaled_dot_score (TODO 4 of 5): which size does one dot product sum over? 1 line.
    return dot_score(query, keys) / math.sqrt(query.shape[-1])
    # END SOLUTION


def attend(
    kind: str,
    query: torch.Tensor,
    keys: torch.Tensor,
    **weights: torch.Tensor,
) -> tuple[torch.Tensor, torch.Tensor]:
    """One interface for all four: score, normalise over the keys, read out.

    Args:
        kind: "additive", "dot", "general" or "scaled_dot".
        query: (B, Dq).
        keys: (B, T, Dk), which are the values too.
        weights: what the score of this kind takes: w1, w2, v or w or nothing.

    Returns:
        context: (B, Dk).
        weights: (B, T), each row sums to 1.

    Raises:
        ValueError: ``kind`` is none of the four.
    """
    # BEGIN SOLUTION attend (TODO 5 of 5): choose the function, then softmax and weighted sum. About 11 lines.
    scores = {
        "additive": additive_score,
        "dot": dot_score,
        "general": general_score,
        "scaled_dot": scaled_dot_score,
    }
    if kind not in scores:
        raise ValueError(f"unknown kind of score: {kind!r}")
    alpha = torch.softmax(scores[kind](query, keys, **weights), dim=-1)
    # (B, 1, T) @ (B, T, Dk) -> (B, 1, Dk) -> (B, Dk)
    return (alpha.unsqueeze(1) @ keys).squeeze(1), alpha
    # END SOLUTION
