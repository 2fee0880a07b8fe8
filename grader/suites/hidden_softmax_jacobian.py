"""Hidden suite for softmax_jacobian: drawn rows against autograd."""

import pytest
import torch
from torch.autograd.functional import jacobian

from grader.session import expect

pytestmark = pytest.mark.exercise("softmax_jacobian")

DOUBLE = torch.float64
AUTOGRAD = "p is the result of a softmax already. Is it put through one again?"
BATCH = "Which axes of p are rows, and which is the one that sums to 1?"
SUMS = "Write out what the entries of one row add up to."
LARGE = "Does a row of thousands of entries fit as a matrix for every row of a batch?"
COLD = "What is exp of a score over 0.001?"
CALLER = "What do the tensors hold that the caller still has?"
GRADIENT = "A lookup is made soft so that gradients pass. Do they?"


def _rows(case, *shape):
    return torch.softmax(2 * case.randn(*shape, dtype=DOUBLE), dim=-1)


@pytest.mark.points(12)
@pytest.mark.numeric
def check_jacobian_against_autograd(student, case):
    """The Jacobian is what autograd finds for softmax."""
    scores = case.randn(case.integer(5, 8), dtype=DOUBLE)

    got = student.softmax_jacobian(torch.softmax(scores, dim=0))

    expected = jacobian(lambda s: torch.softmax(s, dim=0), scores)
    expect.close(got, expected, what="jacobian", hint=AUTOGRAD)


@pytest.mark.points(8)
@pytest.mark.numeric
def check_leading_sizes(student, case, reference):
    """Any leading sizes give one matrix a row, and its rows sum to 0."""
    A, B, n = case.sizes(A=(2, 3), B=(4, 5), n=(6, 8))
    for shape in ((B, n), (A, B, n), (A, 1, B, n), (B, 1)):
        p = _rows(case, *shape)
        got = student.softmax_jacobian(p)
        wanted = (*shape, shape[-1])
        expect.tensor(got, wanted, DOUBLE, what="jacobian", hint=BATCH)
        expect.close(got, reference.softmax_jacobian(p), what="jacobian", hint=BATCH)
        expect.rows_sum_to(got, 0.0, what="jacobian", hint=SUMS)


@pytest.mark.points(11)
@pytest.mark.numeric
def check_backward_against_autograd(student, case):
    """The backward pass is what autograd finds, row by row."""
    A, B, n = case.sizes(A=(2, 3), B=(4, 5), n=(6, 8))
    for shape in ((n,), (A, B, n)):
        scores = case.randn(*shape, dtype=DOUBLE, requires_grad=True)
        up = case.randn(*shape, dtype=DOUBLE)
        p = torch.softmax(scores, dim=-1)
        (expected,) = torch.autograd.grad((p * up).sum(), scores)

        got = student.softmax_backward(p.detach(), up)

        expect.close(got, expected, what="gradient", hint=AUTOGRAD)


@pytest.mark.points(5)
@pytest.mark.numeric
def check_backward_of_long_rows(student, case, reference):
    """Rows of thousands of entries need no matrix."""
    p, up = _rows(case, 3, 20000), case.randn(3, 20000, dtype=DOUBLE)

    got = student.softmax_backward(p, up)

    expected = reference.softmax_backward(p, up)
    expect.close(got, expected, what="gradient", hint=LARGE, atol=1e-12)


@pytest.mark.points(3)
@pytest.mark.numeric
def check_lookup_at_low_temperature(student, case, reference):
    """A temperature of 0.001 fetches one value, and no NaN."""
    scores, values = case.randn(3, 5), case.randn(3, 5, 2)
    scores[range(3), scores.argmax(-1)] += 1.0  # the best alone, also in a near tie

    for given in (scores, 0.002 * scores):  # the best alone, and some near it
        output, weights = expect.pair(
            student.soft_lookup(given, values, 0.001), what="result"
        )

        expected = reference.soft_lookup(given, values, 0.001)
        expect.close(weights, expected[1], what="weights", hint=COLD)
        expect.close(output, expected[0], what="output", hint=COLD)


@pytest.mark.points(3)
@pytest.mark.property
def check_arguments_are_left_alone(student, case):
    """Scores, values, p and grad are the same after each call as before."""
    B, n, D = case.sizes(B=(2, 3), n=(4, 5), D=(6, 7))
    p, scores, values = _rows(case, B, n), case.randn(B, n), case.randn(B, n, D)

    for name, args, shape in (
        ("softmax_jacobian", (p,), (B, n, n)),
        ("softmax_backward", (p, case.randn(B, n, dtype=DOUBLE)), (B, n)),
        ("soft_lookup", (scores, values, 0.5), (B, D)),
    ):
        got = getattr(student, name)(*args)
        expect.inputs_unchanged(student, what=f"arguments of {name}", hint=CALLER)
        result = got[0] if isinstance(got, list | tuple) and got else got
        expect.tensor(result, shape, what=f"result of {name}")


@pytest.mark.points(8)
@pytest.mark.numeric
def check_lookups_of_drawn_values(student, case, reference):
    """Lookups with any leading sizes and temperatures are right."""
    A, B, T, D = case.sizes(A=(2, 3), B=(4, 5), T=(6, 7), D=(8, 9))
    kinds = [((T,), D, 0.3), ((B, T), D, 1.0), ((A, B, T), D, 2.5), ((B, T), T, 400.0)]
    for shape, width, temperature in kinds:
        # Scores beside which a temperature in the hundreds is not without end.
        scores, values = case.randn(*shape), case.randn(*shape, width)
        scores = (scores * max(1.0, temperature / 10)).requires_grad_()
        got = expect.pair(
            student.soft_lookup(scores, values, temperature), what="result"
        )
        expected = reference.soft_lookup(scores, values, temperature)
        expect.close(got[1], expected[1], what="weights", hint=BATCH)
        expect.close(got[0], expected[0], what="output", hint=BATCH)
        up = case.randn(*got[0].shape)
        expect.true(got[0].requires_grad, what="output.requires_grad", hint=GRADIENT)
        (grad,) = torch.autograd.grad((got[0] * up).sum(), scores)
        (wanted,) = torch.autograd.grad((expected[0] * up).sum(), scores)
        expect.close(grad, wanted, what="gradient", hint=GRADIENT)


@pytest.mark.points(5)
@pytest.mark.numeric
def check_lookup_passes_gradients(student, case, reference):
    """Gradients reach scores and values; the temperature is 1 unless given."""
    B, T, D = case.sizes(B=(2, 3), T=(4, 6), D=(7, 8))
    inputs = [
        case.randn(B, T, requires_grad=True),
        case.randn(B, T, D, requires_grad=True),
    ]
    up = case.randn(B, D)

    output, _ = expect.pair(student.soft_lookup(*inputs), what="result")
    expect.tensor(output, (B, D), what="output")
    grads = torch.autograd.grad((output * up).sum(), inputs)

    ours = (reference.soft_lookup(*inputs)[0] * up).sum()
    for got, want in zip(grads, torch.autograd.grad(ours, inputs), strict=True):
        expect.close(got, want, what="gradient", hint=GRADIENT)
