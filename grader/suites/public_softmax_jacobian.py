"""Suite for softmax_jacobian: small rows worked out by hand."""

import math

import pytest
import torch

from grader.session import expect

pytestmark = pytest.mark.exercise("softmax_jacobian")

PARTS = "Write J out for p = (1/2, 1/2): what stands on the diagonal, what beside it?"
ROWS = "p sums to 1 whatever the scores are. What does a row of J sum to?"
BATCH = "One matrix for each row of p, also when there is no leading size."
SMALL = "Multiply J with grad by hand for two entries."
DIVIDED = "Scores over the temperature: before or after the softmax?"
COLD = "Which value is left alone when the temperature goes to 0?"
POSITIVE = "What does a temperature of 0 divide by?"


@pytest.mark.points(9)
@pytest.mark.numeric
def check_jacobian_of_three(student):
    """The Jacobian of a row of three is diag(p) - p p^T."""
    jacobian = student.softmax_jacobian(torch.tensor([0.5, 0.25, 0.25]))

    expected = [[0.25, -0.125, -0.125], [-0.125, 0.1875, -0.0625]]
    expected.append([-0.125, -0.0625, 0.1875])
    expect.close(jacobian, torch.tensor(expected), what="jacobian", hint=PARTS)


@pytest.mark.points(8)
@pytest.mark.numeric
def check_jacobian_of_a_batch(student):
    """Each row of a batch has a matrix of its own; a one-hot row has none but zeros."""
    p = torch.tensor([[[0.5, 0.5], [1.0, 0.0]]])

    jacobian = student.softmax_jacobian(p)

    half, nothing = [[0.25, -0.25], [-0.25, 0.25]], [[0.0, 0.0], [0.0, 0.0]]
    expect.close(jacobian, torch.tensor([[half, nothing]]), what="jacobian", hint=BATCH)


@pytest.mark.points(9)
@pytest.mark.numeric
def check_backward_by_hand(student):
    """The backward pass is the product of J and the gradient."""
    p, grad = (
        torch.tensor([[0.5, 0.5], [0.75, 0.25]]),
        torch.tensor([[1.0, 3.0], [4.0, 0.0]]),
    )

    got = student.softmax_backward(p, grad)

    expected = torch.tensor([[-0.5, 0.5], [0.75, -0.75]])
    expect.close(got, expected, what="gradient", hint=SMALL)


@pytest.mark.points(8)
@pytest.mark.numeric
def check_lookup_at_two_temperatures(student):
    """The weights are the softmax of the scores over the temperature."""
    scores, values = (
        torch.tensor([math.log(9.0), 0.0]),
        torch.tensor([[1.0, 0.0], [0.0, 2.0]]),
    )

    for temperature, share in ((1.0, 0.9), (2.0, 0.75), (0.5, 81 / 82)):
        got = expect.pair(
            student.soft_lookup(scores, values, temperature), what="result"
        )
        weights = torch.tensor([share, 1 - share])
        expect.close(got[1], weights, what=f"weights, τ={temperature}", hint=DIVIDED)
        expect.close(got[0], weights * torch.tensor([1.0, 2.0]), what="output")


@pytest.mark.points(6)
@pytest.mark.numeric
def check_cold_lookup_is_hard(student):
    """Near temperature 0 the value of the best score is fetched alone."""
    scores = torch.tensor([0.5, 2.0, 1.0], dtype=torch.float64)
    values = torch.tensor([[1.0], [5.0], [9.0]], dtype=torch.float64)

    output, weights = expect.pair(
        student.soft_lookup(scores, values, 0.01), what="result"
    )

    expect.close(output, values[1], what="output", hint=COLD)
    expect.close(weights, [0.0, 1.0, 0.0], what="weights", hint=COLD)


@pytest.mark.points(5)
@pytest.mark.errors
def check_temperature_of_zero(student):
    """A temperature that is not positive raises ValueError; a small one works."""
    scores, values = torch.tensor([0.0, 0.0]), torch.tensor([[2.0], [4.0]])

    output, _ = expect.pair(student.soft_lookup(scores, values, 0.1), what="result")
    expect.close(output, torch.tensor([3.0]), what="output")
    for bad in (0.0, -1.0, -0.25):
        with expect.raises(ValueError, what=f"a temperature of {bad}", hint=POSITIVE):
            student.soft_lookup(scores, values, bad)
