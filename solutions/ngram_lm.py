"""Bigram language model (origins of attention, "language models").

Try it: make check EX=ngram_lm

The plainest language model: count how often symbol b follows symbol a, and
read the counts as probabilities P(b | a) = C[a, b] / sum over b of C[a, b].
It is judged by the mean negative log-likelihood of a text that it never saw,
and by its exponential, the perplexity: among how many equally likely symbols
the model wavers. Natural logarithms throughout. Arguments stay as they are.
"""

import numpy as np
import torch


def count_bigrams(
    ids: torch.Tensor, vocab_size: int, add_k: float = 0.0
) -> torch.Tensor:
    """Count the pairs of neighbours in a text.

    Args:
        ids: (T,) int64, each in 0..vocab_size-1.
        vocab_size: V.
        add_k: what every cell of the table starts from (add-k smoothing).

    Returns:
        (V, V) float64: how often column b comes right after row a, plus add_k.
    """
    # BEGIN SOLUTION count_bigrams (TODO 1 of 5): a table that starts at add_k; a pair that occurs n times counts n times. About 4 lines.
    shape = (vocab_size, vocab_size)
    counts = torch.full(shape, add_k, dtype=torch.float64)
    ones = torch.ones(len(ids) - 1, dtype=torch.float64)
    return counts.index_put_((ids[:-1], ids[1:]), ones, accumulate=True)
    # END SOLUTION


def bigram_probs(counts: torch.Tensor) -> torch.Tensor:
    """Turn counts into the probabilities of the next symbol.

    Args:
        counts: (V, V), row a holds what follows a.

    Returns:
        (V, V) float64: P[a, b] = P(next is b | now is a). The row of a symbol
        that nothing ever followed is all zeros: no NaN, and no warning.
    """
    # BEGIN SOLUTION bigram_probs (TODO 2 of 5): which sum makes P(. | a) a distribution? Mind the empty row. About 3 lines.
    counts = counts.double()
    totals = counts.sum(dim=1, keepdim=True)
    return counts / totals.where(totals > 0, torch.ones_like(totals))
    # END SOLUTION


def nll(probs: torch.Tensor, ids: torch.Tensor) -> float:
    """Mean negative log-likelihood of a text, in nats a prediction.

    Args:
        probs: (V, V) from ``bigram_probs``.
        ids: (T,) int64. The first symbol is given, so T-1 are predicted.

    Returns:
        A float, no tensor; ``inf`` when the text holds a pair of probability
        0.
    """
    # BEGIN SOLUTION nll (TODO 3 of 5): look up each pair of neighbours, average the minus logarithms. About 2 lines.
    predicted = probs[ids[:-1], ids[1:]]
    return float(-predicted.log().mean())
    # END SOLUTION


def perplexity(mean_nll: float) -> float:
    """The number of equally likely choices that a mean NLL (nats) stands for.

    A model that guesses evenly among V symbols has perplexity V.
    """
    # BEGIN SOLUTION perplexity (TODO 4 of 5): undo the logarithm of nll; inf stays inf. 1 line.
    return float(np.exp(mean_nll))
    # END SOLUTION


def sample_ids(
    probs: torch.Tensor, start: int, length: int, seed: int
) -> list[int]:
    """Generate a text, each symbol drawn from the row of the one before.

    So that the same seed gives the same text to everyone, draw with
    ``rng = np.random.default_rng(seed)`` and ``rng.choice(V, p=row)``, once
    for each new symbol.

    Args:
        probs: (V, V) from ``bigram_probs``.
        start: the symbol that comes first; it is given, not drawn.
        length: how many symbols to draw.
        seed: for the generator.

    Returns:
        length + 1 ints, ``start`` first.
    """
    # BEGIN SOLUTION sample_ids (TODO 5 of 5): which row does the next draw come from? About 5 lines.
    rng = np.random.default_rng(seed)
    ids = [start]
    for _ in range(length):
        row = probs[ids[-1]].numpy()
        ids.append(int(rng.choice(len(row), p=row)))
    return ids
    # END SOLUTION
