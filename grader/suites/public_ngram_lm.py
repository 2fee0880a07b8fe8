"""Suite for ngram_lm: small tables worked out on paper."""

import math

import pytest
import torch

from grader.session import expect

pytestmark = pytest.mark.exercise("ngram_lm")

TWICE = "The pair (1, 2) stands there three times. What is in its cell?"
ROWS = "For which fixed symbol do the probabilities have to add up to 1?"
EMPTY = "Nothing ever follows symbol 2. What is 0 divided by 0?"
HOW_MANY = "A text of T symbols: how many of them does the model predict?"
BASE = "Which base has the logarithm, and which base has the power?"
QUIET = "Which quotient does the library warn of, and could it not be taken at all?"
PLAIN = "What does float(...) make of a tensor that holds one number?"
# exp and log of a single number, which many work out in float32.
SINGLE = 1e-6
NEXT_ROW = "Which symbol decides from which row the next one is drawn?"


@pytest.mark.points(8)
@pytest.mark.numeric
def check_counts_of_a_small_text(student):
    """Every pair of neighbours is counted as often as it occurs."""
    ids = torch.tensor([0, 1, 2, 1, 2, 2, 1, 2, 0])

    counts = student.count_bigrams(ids, 4)

    expected = [[0, 1, 0, 0], [0, 0, 3, 0], [1, 2, 1, 0], [0, 0, 0, 0]]
    expect.close(counts, torch.tensor(expected).double(), what="counts", hint=TWICE)


@pytest.mark.points(8)
@pytest.mark.numeric
def check_rows_are_distributions(student):
    """The row of a symbol holds the shares of what follows it."""
    counts = torch.tensor([[1.0, 3.0, 4.0], [2.0, 0.0, 0.0], [1.0, 1.0, 2.0]]).double()

    probs = student.bigram_probs(counts)

    expected = [[0.125, 0.375, 0.5], [1.0, 0.0, 0.0], [0.25, 0.25, 0.5]]
    expect.close(probs, torch.tensor(expected).double(), what="probs", hint=ROWS)


@pytest.mark.points(6)
@pytest.mark.numeric
def check_symbol_that_nothing_follows(student):
    """The row of a symbol that nothing follows is zero and holds no NaN."""
    counts = torch.tensor([[1.0, 1.0, 2.0], [0.0, 3.0, 1.0], [0.0, 0.0, 0.0]]).double()

    probs = student.bigram_probs(counts)

    expect.finite(probs, what="probs", hint=EMPTY)
    expected = [[0.25, 0.25, 0.5], [0.0, 0.75, 0.25], [0.0, 0.0, 0.0]]
    expect.close(probs, torch.tensor(expected).double(), what="probs", hint=EMPTY)


@pytest.mark.points(8)
@pytest.mark.numeric
def check_nll_by_hand(student):
    """The NLL is the mean minus log-probability of the predicted symbols."""
    probs = torch.tensor([[0.5, 0.5, 0.0], [0.25, 0.5, 0.25], [1.0, 0.0, 0.0]]).double()

    value = student.nll(probs, torch.tensor([1, 0, 1, 2, 0]))

    # 1/4, 1/2, 1/4, 1: five halvings in four predictions.
    expect.close(value, 5 / 4 * math.log(2), what="nll", hint=HOW_MANY)


@pytest.mark.points(6)
@pytest.mark.numeric
def check_perplexity_undoes_the_logarithm(student):
    """An NLL of ln 4 nats is a perplexity of 4, and infinity stays infinity."""
    four = student.perplexity(math.log(4))
    expect.close(four, 4.0, what="perplexity", hint=BASE, rtol=SINGLE)
    expect.close(student.perplexity(0.0), 1.0, what="perplexity of 0", hint=BASE)
    expect.close(student.perplexity(math.inf), math.inf, what="perplexity of inf")


@pytest.mark.points(8)
@pytest.mark.numeric
def check_sampling_follows_the_rows(student):
    """Each sampled symbol comes from the row of the one before it."""
    # 0 -> 2 -> 3 -> 1 -> 0: only one symbol can follow each.
    probs = torch.zeros(4, 4, dtype=torch.float64)
    probs[[0, 2, 3, 1], [2, 3, 1, 0]] = 1.0

    ids = student.sample_ids(probs, 3, 6, 0)

    expect.length(ids, 7, what="ids", hint="Is the start part of the result?")
    expect.equal(list(ids), [3, 1, 0, 2, 3, 1, 0], what="ids", hint=NEXT_ROW)


@pytest.mark.points(3)
@pytest.mark.numeric
def check_empty_row_without_a_warning(student, worker):
    """The row of zeros is made without a warning of the library."""
    counts = torch.tensor([[0.0, 0.0, 0.0], [1.0, 3.0, 4.0], [0.0, 2.0, 0.0]]).double()

    worker.kit.refuse_warnings()
    try:
        probs = student.bigram_probs(counts)
    finally:
        worker.kit.allow_warnings()

    expected = [[0.0, 0.0, 0.0], [0.125, 0.375, 0.5], [0.0, 1.0, 0.0]]
    expect.close(probs, torch.tensor(expected).double(), what="probs", hint=QUIET)


@pytest.mark.points(3)
@pytest.mark.numeric
def check_plain_numbers(student):
    """NLL and perplexity are Python's floats, and a sampled text is made of ints."""
    swap = torch.tensor([[0.0, 1.0], [1.0, 0.0]]).double()

    value = student.nll(swap / 2, torch.tensor([0, 1, 0]))
    ppl = student.perplexity(math.log(2))
    ids = expect.sequence(student.sample_ids(swap, 0, 2, 0), 3, what="ids")

    for name, number, expected in (
        ("nll", value, math.log(2)),
        ("perplexity", ppl, 2.0),
    ):
        expect.number(number, float, what=name, hint=PLAIN)
        expect.close(number, expected, what=name, rtol=SINGLE)
    for symbol, expected in zip(ids, (0, 1, 0), strict=True):
        expect.number(symbol, int, what="symbol", hint=PLAIN)
        expect.equal(symbol, expected, what="symbol", hint=NEXT_ROW)
