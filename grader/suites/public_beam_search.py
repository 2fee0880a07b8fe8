"""Suite for beam_search: small tables whose best paths are known."""

import math

import pytest
import torch

from grader.session import expect

pytestmark = pytest.mark.exercise("beam_search")

A, B, END, START = 0, 1, 2, 3
FOLLOW = "Which row of the table does the next choice come from?"
STOP = "What may follow the end mark?"
COUNT = "Count by hand the tokens that were scored. Is the end one of them?"
BEAM = "How many different prefixes are kept after the first step?"
BETTER = "Is a larger log-probability better or worse?"
WIDTH = "How many candidates are kept with a width of 0?"


def _table(*steps):
    """Log-probabilities (T, 4, 4) from a dict {token before: four shares} a step."""
    table = torch.zeros(len(steps), 4, 4)
    for t, rows in enumerate(steps):
        for before, shares in rows.items():
            table[t, before] = torch.tensor(shares)
    return table.log()


def _garden():
    """The likelier first token, a, leads where nothing is likely any more."""
    after_a, after_b = [0.4, 0.3, 0.3, 0.0], [0.05, 0.05, 0.9, 0.0]
    later = {A: after_a, B: after_b}
    return _table({START: [0.6, 0.4, 0.0, 0.0]}, later, later)


@pytest.mark.points(8)
@pytest.mark.numeric
def check_greedy_follows_the_table(student):
    """Greedy takes the likeliest token of the row of the token before."""
    table = _table(
        {START: [0.2, 0.7, 0.1, 0.0]},
        {A: [0.1, 0.1, 0.8, 0.0], B: [0.5, 0.3, 0.2, 0.0]},
        {A: [0.3, 0.6, 0.1, 0.0], B: [0.1, 0.1, 0.8, 0.0]},
    )

    ids = student.greedy_search(table, START, END)

    expect.equal(ids, [B, A, B], what="ids", hint=FOLLOW)


@pytest.mark.points(7)
@pytest.mark.numeric
def check_greedy_stops_at_the_end(student):
    """Greedy ends with the end token and takes the lowest id of equal ones."""
    table = _table({START: [0.4, 0.4, 0.2, 0.0]}, *[{A: [0.3, 0.1, 0.6, 0.0]}] * 3)

    ids = student.greedy_search(table, START, END)

    expect.equal(ids, [A, END], what="ids", hint=STOP)


@pytest.mark.points(6)
@pytest.mark.numeric
def check_length_score(student):
    """The score is the log-probability over a power of the length."""
    cases = ((-6.0, 4, 0.0, -6.0), (-6.0, 4, 1.0, -1.5), (-6.0, 4, 0.5, -3.0))
    for log_prob, length, alpha, expected in cases:
        got = student.length_score(log_prob, length, alpha)
        expect.close(got, expected, what=f"score, alpha={alpha}")


@pytest.mark.points(10)
@pytest.mark.numeric
def check_beam_leaves_the_garden_path(student):
    """A beam of 2 finds the sequence that greedy misses."""
    found = student.beam_search(_garden(), 2, START, END)

    expect.length(found, 2, what="sequences")
    ids, score = expect.pair(found[0], what="best sequence")
    expect.equal(ids, [B, END], what="ids of the best", hint=BEAM)
    expect.close(score, math.log(0.36), atol=1e-5, what="its score", hint=BETTER)


@pytest.mark.points(8)
@pytest.mark.numeric
def check_width_one_is_greedy(student):
    """A beam of 1 finds what greedy finds."""
    found = student.beam_search(_garden(), 1, START, END)

    expect.length(found, 1, what="sequences")
    ids, score = expect.pair(found[0], what="best sequence")
    expect.equal(ids, [A, A, A], what="ids", hint=FOLLOW)
    expect.close(score, math.log(0.6 * 0.4 * 0.4), atol=1e-5, what="score")


@pytest.mark.points(5)
@pytest.mark.errors
def check_width_of_zero(student):
    """A width below 1 raises ValueError, a width of 1 works."""
    found = student.beam_search(_garden(), 1, START, END)
    expect.length(found, 1, what="sequences")
    expect.equal(expect.pair(found[0])[0], [A, A, A], what="ids")

    for width in (0, -1):
        with expect.raises(ValueError, what=f"a width of {width}", hint=WIDTH):
            student.beam_search(_garden(), width, START, END)
