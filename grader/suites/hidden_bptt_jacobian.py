"""Hidden suite for bptt_jacobian: drawn matrices against autograd."""

from functools import partial

import pytest
import torch
from torch.autograd.functional import jacobian

from grader.session import expect

pytestmark = pytest.mark.exercise("bptt_jacobian")

DOUBLE = torch.float64
DTYPE = "Which dtype has a new tensor when you name none?"
STAYS = "The caller may go on with these tensors. Which line writes into one?"
ONE = "A sequence may have a single step. What is the product then?"
PLAIN = "What does float(...) make of a tensor that holds one number?"
RADIUS = "Work out the spectral radius of your result."
SIDE = "diag(a) W scales rows, W diag(a) scales columns."
ORDER = "Matrices do not commute. On which side does the next step join?"
SIZE = "How small and how large may the entries of a product become?"
SHARES = "Shares of all norms, between 0 and 1, counted strictly beyond the bounds."


def _radius(w):
    return float(torch.linalg.eigvals(w).abs().max())


def _not_along_the_reals(w):
    """``w`` or its negative: its largest eigenvalue is not a positive number."""
    values = torch.linalg.eigvals(w)
    largest = values[values.abs().argmax()]
    return -w if largest.imag == 0 and largest.real > 0 else w


def _states(w, x, h):
    found = []
    for row in x:
        h = torch.tanh(w @ h + row)
        found.append(h)
    return torch.stack(found)


def _last(w, x, h):
    return _states(w, x, h)[-1]


def _product(states, w):
    found = torch.eye(len(w), dtype=w.dtype)
    for h in states:
        found = torch.diag(1 - h**2) @ w @ found
    return found


@pytest.mark.points(9)
@pytest.mark.numeric
def check_radius_of_drawn_matrices(student, case):
    """Drawn matrices keep their direction and get the radius that was asked for."""
    n = case.integer(5, 8)
    drawn = [case.randn(n, n, dtype=DOUBLE, scale=scale) for scale in (1.0, 1.0, 0.05)]
    matrices = [_not_along_the_reals(w) for w in drawn]
    # 1 + 2i and 1 - 2i lead: lengths go up and down from power to power.
    matrices.append(torch.tensor([[1.0, -4.0], [1.0, 1.0]], dtype=DOUBLE))
    matrices += [torch.tensor([[-0.5]]), case.randn(n, n)]  # float32
    for radius, w in zip((0.9, 2.0, 1.2, 0.7, 3.0, 0.8), matrices, strict=True):
        scaled = student.rescale_to_radius(w, radius)

        expect.inputs_unchanged(student, what="w")
        expect.tensor(scaled, w.shape, w.dtype, what="scaled matrix", hint=DTYPE)
        expect.close(
            scaled, w * (radius / _radius(w)), what="scaled matrix", hint=RADIUS
        )


@pytest.mark.points(9)
@pytest.mark.numeric
def check_drawn_states(student, case, reference):
    """States of drawn sequences are right, for one step and for many, in any dtype."""
    several = case.integer(4, 6)
    # Twice the same sizes: the second sequence starts from zero, as the first.
    for T, n, dtype in (
        (1, several, torch.float32),
        (9, several, DOUBLE),
        (9, several, DOUBLE),
        (3, 1, DOUBLE),
    ):
        w = case.randn(n, n, dtype=dtype, scale=0.5)
        x = case.randn(T, n, dtype=dtype)
        x[-1] *= 500  # far out, where exponentials overflow

        states = student.rnn_states(w, x)

        expect.tensor(states, (T, n), dtype, what="states", hint=DTYPE)
        expect.close(states, reference.rnn_states(w, x), what=f"states, T={T}")


@pytest.mark.points(12)
@pytest.mark.numeric
def check_step_against_autograd(student, case):
    """The Jacobian of a step is what autograd finds."""
    for n in (case.integer(4, 6), 1):
        w = case.randn(n, n, dtype=DOUBLE)
        x, before = case.randn(2, n, dtype=DOUBLE, scale=0.3)
        x[0] = 8.0  # this unit is all but saturated: its row is all but zero
        after = torch.tanh(w @ before + x)

        got = student.step_jacobian(after, w)

        expected = jacobian(partial(_last, w, x[None]), before)
        expect.close(got, expected, what="jacobian", hint=SIDE)


@pytest.mark.points(13)
@pytest.mark.numeric
def check_product_against_autograd(student, case):
    """The product over many steps is the derivative of the last state by the first."""
    several = case.integer(4, 6)
    for T, n, dtype, hint in (
        (6, several, DOUBLE, ORDER),
        (1, several, torch.float32, ONE),
        (4, 1, DOUBLE, ORDER),
    ):
        w = case.randn(n, n, dtype=dtype, scale=0.6)
        x, start = case.randn(T, n, dtype=dtype, scale=0.4), w.new_zeros(n)

        got = student.jacobian_product(_states(w, x, start), w)

        expected = jacobian(partial(_last, w, x), start)
        expect.tensor(got, (n, n), dtype, what=f"product, T={T}", hint=DTYPE)
        expect.close(got, expected, what=f"product, T={T}", hint=hint)

    # Norms from 1e-18 to 1e18 are what this exercise is about.
    for scale in (0.15, 2.6):
        w = case.randn(several, several, dtype=DOUBLE, scale=scale)
        states = case.rand(30, several, lo=-0.9, hi=0.9, dtype=DOUBLE)
        got = student.jacobian_product(states, w)
        expected = _product(states, w)
        least = 1e-7 * float(expected.abs().max())
        expect.close(got, expected, what="product", hint=SIZE, atol=least)


@pytest.mark.points(8)
@pytest.mark.numeric
def check_drawn_statistics(student, case, reference):
    """Statistics over many powers of ten are right, for odd and even numbers."""
    for count in (9, 12, 1):
        norms = 10.0 ** (4 * case.randn(count, dtype=DOUBLE))
        if count > 1:
            norms[1], norms[-2] = 1e-60, 1e60

        stats = student.summarise(norms)

        expect.length(stats, 5, what="statistics")
        for name, value in reference.summarise(norms).items():
            got = stats.get(name)
            expect.close(got, value, what=name, hint=SHARES, rtol=1e-6, atol=0.0)


@pytest.mark.points(3)
@pytest.mark.numeric
def check_statistics_are_floats(student):
    """The five statistics are floats of Python."""
    stats = student.summarise(torch.tensor([2e3, 4.0, 1e-5, 8.0], dtype=DOUBLE))

    expect.length(stats, 5, what="statistics")
    wanted = {"median": 6.0, "min": 1e-5, "max": 2e3, "exploded": 0.25}
    for name, value in (*wanted.items(), ("vanished", 0.25)):
        got = stats.get(name)
        expect.number(got, float, what=name, hint=PLAIN)
        expect.close(got, value, what=name, hint=SHARES, rtol=1e-6)


@pytest.mark.points(3)
@pytest.mark.property
def check_arguments_stay(student, case):
    """Weights, inputs, states and norms stay as they were given."""
    n = case.integer(4, 6)
    w, x = case.randn(n, n, dtype=DOUBLE), case.rand(3, n, lo=-0.9, dtype=DOUBLE)
    norms = torch.tensor([3.0, 1.0, 2.0], dtype=DOUBLE)

    for call, given in (
        (student.rescale_to_radius, (w, 0.5)),
        (student.rnn_states, (w, x)),
        (student.step_jacobian, (x[0].clone(), w)),
        (student.jacobian_product, (x, w)),
        (student.summarise, (norms,)),
    ):
        call(*given)
        expect.inputs_unchanged(student, hint=STAYS)
