"""Greedy and beam search over a table (origins of attention, "seq2seq").

Try it: make check EX=beam_search

Taking the likeliest token at each step need not give the likeliest sequence:
a good start can lead to a dead end. Beam search keeps the ``width`` best
prefixes instead of one. The model is a table here: log_probs[t, a, b] is the
log-probability that token b follows token a at step t. No network is needed.
"""

import torch


def greedy_search(log_probs: torch.Tensor, bos: int, eos: int) -> list[int]:
    """Take the likeliest token at each step; of equal ones the lowest id.

    Args:
        log_probs: (T, V, V) float; -inf stands for "never".
        bos: the token before step 0; it is not part of the result.
        eos: the token that ends the sequence; it is part of the result. Some
            models have one id for both.

    Returns:
        At most T ids: up to the first ``eos``, or T of them without one.
    """
    # TODO 1 of 3: follow the table, row by row. About 6 lines.
    raise NotImplementedError("greedy_search (TODO 1 of 3)")


def length_score(log_prob: float, length: int, alpha: float) -> float:
    """log_prob / length ** alpha, with the end token counted in the length.

    alpha = 0 compares log-probabilities as they are, which favours the short;
    alpha = 1 compares means a token.
    """
    # TODO 2 of 3: the formula. 1 line.
    raise NotImplementedError("length_score (TODO 2 of 3)")


def beam_search(
    log_probs: torch.Tensor,
    width: int,
    bos: int,
    eos: int,
    alpha: float = 0.0,
) -> list[tuple[list[int], float]]:
    """Search with a beam, then rank by ``length_score``.

    At each step every open prefix is continued by every token. Of all these
    candidates together the ``width`` likeliest are kept, by summed
    log-probability without any length penalty; those of -inf never. Kept ones
    that end in ``eos`` are finished: they leave the beam, and nothing follows
    them. The others are the open prefixes of the next step. The search ends
    after T steps, or when nothing is open.

    Equal log-probabilities and equal scores: the lexicographically smaller
    ids come first.

    Args:
        log_probs: (T, V, V), see ``greedy_search``.
        width: how many candidates are kept at a step, at least 1.
        bos, eos: as in ``greedy_search``.
        alpha: exponent of the length penalty in the final ranking.

    Returns:
        The finished sequences and those still open after step T, together the
        ``width`` best by score: (ids, score) pairs, best first.

    Raises:
        ValueError: ``width`` is below 1.
    """
    # TODO 3 of 3: expand, rank, keep, sort out what is finished; then the
    # final ranking. About 22 lines.
    raise NotImplementedError("beam_search (TODO 3 of 3)")
