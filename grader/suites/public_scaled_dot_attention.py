"""Suite for scaled_dot_attention: weights by hand, heads that can be told apart."""

import math

import pytest
import torch

from grader.session import expect

pytestmark = pytest.mark.exercise("scaled_dot_attention")

SCALE = "How many terms does one dot product add up?"
KEYS = "Which axis holds the keys? The weights of one query sum to 1."
POLARITY = "True means masked out. Which of your keys get weight?"
HEADS = "view moves nothing: which head owns the first features of position 1?"
INVERSE = "After joining, which position does row t belong to?"
LAYERS = "Compare the names in state_dict() with the task."


def _close_pair(result, output, weights, hint):
    got = expect.pair(result, what="result")
    expect.close(got[1], torch.tensor(weights), what="weights", hint=hint)
    expect.close(got[0], torch.tensor(output), what="output", hint=hint)


@pytest.mark.points(9)
@pytest.mark.numeric
def check_two_keys_by_hand(student):
    """Two keys share the weight as their scaled scores say."""
    # Scores 2 ln 3 and 0 over sqrt(4).
    q, k = torch.tensor([[2 * math.log(3.0), 0, 0, 0]]), torch.eye(4)[:2]
    v = torch.tensor([[4.0], [8.0]])

    result = student.scaled_dot_attention(q, k, v)

    _close_pair(result, [[5.0]], [[0.75, 0.25]], SCALE)


@pytest.mark.points(8)
@pytest.mark.numeric
def check_masked_keys(student):
    """Masked keys get no weight, and the others share it."""
    q, k, v = torch.zeros(2, 3), torch.zeros(3, 3), torch.eye(3) * 6
    mask = torch.tensor([[False, True, False], [True, True, False]])

    result = student.scaled_dot_attention(q, k, v, mask)

    weights = [[0.5, 0.0, 0.5], [0.0, 0.0, 1.0]]
    _close_pair(result, [[3.0, 0.0, 3.0], [0.0, 0.0, 6.0]], weights, POLARITY)


@pytest.mark.points(8)
@pytest.mark.numeric
def check_rows_over_the_keys(student, case):
    """The weights of each query sum to 1 over the keys, with any leading sizes."""
    B, h, Tq, Tk, d = case.sizes(B=(2, 3), h=(2, 3), Tq=(4, 5), Tk=(6, 7), d=(8, 9))
    # Cut into heads by a transposition: only reshape() can join axes of these.
    q, k = (case.randn(B, T, h, d).transpose(1, 2) for T in (Tq, Tk))
    v = case.randn(B, h, Tk, 1)

    output, weights = expect.pair(student.scaled_dot_attention(q, k, v), what="result")

    expect.tensor(weights, (B, h, Tq, Tk), what="weights", hint=KEYS)
    expect.rows_sum_to(weights, 1.0, what="weights", hint=KEYS)
    expect.close(
        output, (weights * v.transpose(2, 3)).sum(-1, keepdim=True), what="output"
    )


@pytest.mark.points(10)
@pytest.mark.numeric
def check_heads_are_cut_from_features(student):
    """Head h owns its share of the features of every position."""
    # Position t holds 10 t + feature.
    x = (10.0 * torch.arange(3).unsqueeze(1) + torch.arange(4)).unsqueeze(0)

    split = student.split_heads(x, 2)
    merged = student.merge_heads(split)

    first = [[0.0, 1.0], [10.0, 11.0], [20.0, 21.0]]
    second = [[2.0, 3.0], [12.0, 13.0], [22.0, 23.0]]
    expect.close(split, torch.tensor([[first, second]]), what="heads", hint=HEADS)
    expect.close(merged, x, what="heads joined", hint=INVERSE)


@pytest.mark.points(8)
@pytest.mark.numeric
def check_projections_of_one_head(student, worker):
    """Queries, keys and values go through layers of their own."""
    attention = student.ProjectedAttention(2, 1)
    shapes, eye = worker.kit.shapes(attention), torch.eye(2)
    names = ["W_K.weight", "W_Q.weight", "W_V.weight"]
    expect.true(isinstance(shapes, dict), what="names", hint=LAYERS)
    expect.equal(sorted(shapes), names, what="names", hint=LAYERS)
    scale = math.log(3.0) * math.sqrt(2.0)
    worker.kit.fill(
        attention,
        {"W_Q.weight": eye * scale, "W_K.weight": eye.flip(0), "W_V.weight": eye * 4},
    )
    x, memory = torch.tensor([[[1.0, 0.0]]]), torch.eye(2).unsqueeze(0)

    output, weights = expect.pair(attention(x, memory), what="result")

    expect.close(weights, torch.tensor([[[[0.25, 0.75]]]]), what="weights", hint=LAYERS)
    expect.close(output, torch.tensor([[[1.0, 3.0]]]), what="output", hint=LAYERS)
