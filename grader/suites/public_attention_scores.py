"""Suite for attention_scores: recorded weights, and scores worked out by hand."""

import math

import pytest
import torch

from grader.session import expect

pytestmark = pytest.mark.exercise("attention_scores")

SIDES = "Which of w1 and w2 meets the keys, and which the query?"
DOT = "One number for each key: which axis is summed over?"
SIDE = "query^T W key: try a W that is not symmetric."
SCALE = "How many terms does one dot product add up, and what is divided by?"
KEYS = "Over which axis should the weights of one query sum to 1?"
KINDS = "Which four names does the docstring list?"

QUERY = torch.tensor([[1.0, 2.0, 2.0, 4.0]])
KEYS_OF_ONE = torch.tensor([[[1.0, 0, 0, 0], [0, 1.0, 0, 1.0], [1.0, 1.0, 1.0, -1.0]]])


def _weights(result, shape):
    """The weights of a result, told from the context by their shape."""
    found = [
        r
        for r in expect.pair(result, what="result")
        if getattr(r, "shape", None) == shape
    ]
    expect.true(len(found) == 1, what="weights", expected=f"shape {shape}", hint=KEYS)
    return found[0]


@pytest.mark.points(7)
@pytest.mark.numeric
def check_dot_by_hand(student):
    """The dot score of a key is its dot product with the query."""
    scores = student.dot_score(QUERY, KEYS_OF_ONE)

    expect.close(scores, torch.tensor([[1.0, 6.0, 1.0]]), what="scores", hint=DOT)


@pytest.mark.points(7)
@pytest.mark.numeric
def check_scaled_dot_by_hand(student):
    """The scaled score is the dot product over the root of the query's size."""
    scores = student.scaled_dot_score(QUERY, KEYS_OF_ONE)

    expect.close(scores, torch.tensor([[0.5, 3.0, 0.5]]), what="scores", hint=SCALE)


@pytest.mark.points(7)
@pytest.mark.numeric
def check_general_by_hand(student):
    """The general score puts W between query and key, of whatever sizes."""
    query, keys = (
        torch.tensor([[1.0, 2.0]]),
        torch.tensor([[[1.0, 0, 0], [0, 1.0, 2.0]]]),
    )
    w = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])

    scores = student.general_score(query, keys, w)

    # query^T W is (9, 12, 15).
    expect.close(scores, torch.tensor([[9.0, 42.0]]), what="scores", hint=SIDE)


@pytest.mark.points(8)
@pytest.mark.numeric
def check_additive_by_hand(student):
    """The additive score is v · tanh(W1 key + W2 query)."""
    query, keys = torch.tensor([[1.0]]), torch.tensor([[[0.5, 0.0], [0.0, -1.0]]])
    w1 = torch.tensor([[1.0, 0.0], [0.0, 0.4], [0.0, 0.0]])
    w2, v = torch.tensor([[0.2], [0.0], [-0.3]]), torch.tensor([2.0, 1.0, 3.0])

    scores = student.additive_score(query, keys, w1, w2, v)

    tanh = math.tanh
    first = 2 * tanh(0.7) + 3 * tanh(-0.3)
    second = 2 * tanh(0.2) + tanh(-0.4) + 3 * tanh(-0.3)
    expect.close(scores, torch.tensor([[first, second]]), what="scores", hint=SIDES)


@pytest.mark.points(10)
@pytest.mark.numeric
def check_weights_of_the_course(student):
    """The course's random states give the weights that it prints."""
    generator = torch.Generator().manual_seed(0)
    keys = torch.randn(6, 4, generator=generator)
    query = keys[3] * 2 + 0.1 * torch.randn(4, generator=generator)
    w1, w2 = (
        torch.randn(4, 4, generator=generator),
        torch.randn(4, 4, generator=generator),
    )
    v = torch.randn(4, generator=generator)
    given = (query.unsqueeze(0), keys.unsqueeze(0))

    additive = student.attend("additive", *given, w1=w1, w2=w2, v=v)
    dot = _weights(student.attend("dot", *given), (1, 6))

    recorded = [[0.112, 0.265, 0.109, 0.253, 0.111, 0.151]]
    additive = _weights(additive, (1, 6))
    expect.close(additive, recorded, atol=6e-4, what="additive weights", hint=SIDES)
    recorded = [[0.003, 0.292, 0.026, 0.231, 0.41, 0.038]]
    expect.close(dot, recorded, atol=6e-4, what="dot weights", hint=KEYS)


@pytest.mark.points(5)
@pytest.mark.errors
def check_kinds(student):
    """The four kinds are known, and another one raises ValueError."""
    weights = _weights(student.attend("scaled_dot", QUERY, KEYS_OF_ONE), (1, 3))

    share = 1 / (2 + math.exp(2.5))
    expect.close(
        weights[:, ::2], [[share, share]], atol=1e-4, what="weights", hint=KINDS
    )
    with expect.raises(ValueError, what="an unknown kind", hint=KINDS):
        student.attend("cosine", QUERY, KEYS_OF_ONE)
