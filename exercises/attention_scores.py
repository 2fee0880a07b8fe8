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
    # TODO 1 of 5: both projections, the query's stretched over T. About 2
    # lines.
    raise NotImplementedError("additive_score (TODO 1 of 5)")


def dot_score(query: torch.Tensor, keys: torch.Tensor) -> torch.Tensor:
    """score[t] = query · keys[t], for (B, D) and (B, T, D); gives (B, T)."""
    # TODO 2 of 5: one dot product for each key. 1 line.
    raise NotImplementedError("dot_score (TODO 2 of 5)")


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
    # TODO 3 of 5: bring the query into the space of the keys, then as above. 1
    # line.
    raise NotImplementedError("general_score (TODO 3 of 5)")


def scaled_dot_score(query: torch.Tensor, keys: torch.Tensor) -> torch.Tensor:
    """The dot score over sqrt(D), for (B, D) and (B, T, D); gives (B, T).

    A dot product of D independent terms of variance 1 has variance D; over
    sqrt(D) it has variance 1, whatever D is.
    """
    # TODO 4 of 5: which size does one dot product sum over? 1 line.
    raise NotImplementedError("scaled_dot_score (TODO 4 of 5)")


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
    # TODO 5 of 5: choose the function, then softmax and weighted sum. About 11
    # lines.
    raise NotImplementedError("attend (TODO 5 of 5)")
