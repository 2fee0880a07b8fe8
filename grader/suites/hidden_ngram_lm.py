"""Hidden suite for ngram_lm: drawn texts against the reference."""

import math

import pytest
import torch

from grader.session import expect

pytestmark = pytest.mark.exercise("ngram_lm")

ADDED = "To how many cells of a row was k added?"
SEEN_TWICE = "Is a pair that comes again counted again?"
IMPOSSIBLE = "What does the logarithm of 0 say about such a text?"
NO_PAIR = "How many pairs of neighbours has a text of one symbol?"
LONG = "What becomes of a product of some thousand probabilities?"
STORY = "Check the sums of the rows first, then the NLL, then the perplexity."
# exp and log of a single number, which many work out in float32.
SINGLE = 1e-6
STAYS = "The caller may go on with these tensors. Which line writes into one?"
DRAWS = "One generator for the whole text, and one draw for each new symbol."


@pytest.mark.points(9)
@pytest.mark.numeric
def check_smoothed_counts(student, case, reference):
    """add_k is where every cell starts, seen or not, and each text is counted anew."""
    V, T = case.sizes(V=(4, 7), T=(40, 60))

    for add_k in (0.0, 0.5, 2.0, 0.5):
        ids = case.randint(0, V, T)
        counts = student.count_bigrams(ids, V + 1, add_k)

        expected = reference.count_bigrams(ids, V + 1, add_k)
        what = f"counts, add_k={add_k}"
        expect.tensor(counts, expected.shape, torch.float64, what=what)
        expect.close(counts, expected, what=what, hint=SEEN_TWICE)

    alone = student.count_bigrams(torch.tensor([1]), V, 0.5)
    unseen = torch.full((V, V), 0.5).double()
    expect.close(alone, unseen, what="counts of one symbol", hint=NO_PAIR)


@pytest.mark.points(9)
@pytest.mark.numeric
def check_smoothed_rows_sum_to_one(student, case):
    """Rows sum to 1 after smoothing, also the row of an unseen symbol."""
    V, T = case.sizes(V=(4, 7), T=(40, 60))
    ids = case.randint(0, V, T)

    for add_k in (0.7, 0.05, 1e-7):  # with small ones an unseen row sums to little
        counts = student.count_bigrams(ids, V + 2, add_k)
        counts = expect.tensor(counts, (V + 2, V + 2), what="counts")
        probs = student.bigram_probs(counts)

        expect.tensor(probs, (V + 2, V + 2), torch.float64, what="probs")
        expect.rows_sum_to(probs, 1.0, what="probs", hint=ADDED)
        unseen = [1 / (V + 2)] * (V + 2)
        expect.close(probs[-1], unseen, what="row of an unseen symbol", hint=ADDED)


@pytest.mark.points(8)
@pytest.mark.numeric
def check_impossible_text(student, case, reference):
    """A pair of probability 0 makes the NLL infinite; without it, it is finite."""
    V, T = case.sizes(V=(4, 7), T=(30, 50))
    probs = case.rand(V, V, lo=0.1).double()
    probs[:, 0] = 0.0
    probs = probs / probs.sum(1, keepdim=True)
    probs[0] = 0.0  # nothing ever followed 0, and it never followed anything
    probs[1, 2] = 1e-13  # next to impossible is possible
    ids = case.randint(1, V, T)
    ids[:2] = torch.tensor([1, 2])

    possible = student.nll(probs, ids)

    expect.close(possible, reference.nll(probs, ids), what="nll")
    for place in (T // 2, T - 1):  # then only the last pair is impossible
        broken = ids.clone()
        broken[place] = 0
        impossible = student.nll(probs, broken)
        expect.close(impossible, math.inf, what="nll", hint=IMPOSSIBLE)


@pytest.mark.points(7)
@pytest.mark.numeric
def check_nll_of_drawn_texts(student, case, reference):
    """The NLL averages over T - 1 predictions, for short texts and long ones."""
    V, T = case.sizes(V=(4, 7), T=(30, 50))
    probs = case.rand(V, V, lo=0.1).double()
    probs = probs / probs.sum(1, keepdim=True)

    # The product of some thousand probabilities is 0 in any dtype.
    for length in (2, 3, T, 2000):
        ids = case.randint(0, V, length)
        value = student.nll(probs, ids)
        wanted = reference.nll(probs, ids)
        expect.close(value, wanted, what=f"nll, T={length}", hint=LONG)


@pytest.mark.points(8)
@pytest.mark.numeric
def check_model_of_a_drawn_text(student, case, reference):
    """Counting one text and judging another gives the right perplexity."""
    V, T = case.sizes(V=(5, 8), T=(800, 1200))
    train, test = case.randint(0, V, T), case.randint(0, V, T // 2)
    train[0], train[-1] = 0, 1  # with equal ends rows and columns have equal sums

    probs = student.bigram_probs(student.count_bigrams(train, V, 1.0))
    value = float(student.nll(probs, test))

    table = reference.bigram_probs(reference.count_bigrams(train, V, 1.0))
    expected = reference.nll(table, test)
    expect.close(value, expected, what="nll", hint=STORY)
    ppl = student.perplexity(value)
    wanted = math.exp(expected)
    expect.close(ppl, wanted, what="perplexity", hint=STORY, rtol=SINGLE)


@pytest.mark.points(6)
@pytest.mark.numeric
def check_same_seed_same_text(student, case, reference):
    """A seed gives the text of the prescribed generator, and another seed another."""
    V, seed = case.integer(5, 8), case.integer(0, 1000)
    probs = case.rand(V, V, lo=0.1).double()
    probs = probs / probs.sum(1, keepdim=True)

    texts = [(1, 30, seed), (V - 1, 12, seed + 1), (2, 0, seed), (0, 12, 0)]
    for start, length, each in texts:
        ids = student.sample_ids(probs, start, length, each)
        expected = reference.sample_ids(probs, start, length, each)
        expect.length(ids, length + 1, what="ids")
        expect.equal(list(ids), expected, what="ids", hint=DRAWS)


@pytest.mark.points(3)
@pytest.mark.property
def check_arguments_stay(student, case):
    """Texts, counts and probabilities stay as they were given."""
    V, T = case.sizes(V=(4, 7), T=(12, 20))
    ids, counts = case.randint(0, V, T), case.rand(V, V, lo=1.0, hi=9.0).double()
    probs = counts / counts.sum(1, keepdim=True)

    for call, given in (
        (student.count_bigrams, (ids, V, 1.0)),
        (student.bigram_probs, (counts,)),
        (student.nll, (probs, ids)),
        (student.sample_ids, (probs, 0, 3, 1)),
    ):
        call(*given)
        expect.inputs_unchanged(student, hint=STAYS)
