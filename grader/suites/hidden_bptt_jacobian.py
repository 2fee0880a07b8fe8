"""Hidden suite for bptt_jacobian: drawn matrices against autograd."""

import pytest
import torch
from torch.autograd.functional import jacobian

from grader.session import expect

pytestmark = pytest.mark.exercise("bptt_jacobian")

DOUBLE = torch.float64
RADIUS = "Work out the spectral radius of your result."
SIDE = "diag(a) W scales rows, W diag(a) scales columns."
ORDER = "Matrices do not commute. On which side does the next step join?"
SHARES = "Shares of all norms, between 0 and 1, counted strictly beyond the bounds."


def _radius(w):
    return float(torch.linalg.eigvals(w).abs().max())


def _not_along_the_reals(w):
    """``w`` or its negative: its largest eigenvalue is not a positive number."""
    values = torch.linalg.eigvals(w)
    largest = values[values.abs().argmax()]
    return -w if largest.imag == 0 and largest.real > 0 else w


@pytest.mark.points(10)
@pytest.mark.numeric
def check_radius_of_drawn_matrices(student, case):
    """Drawn matrices keep their direction and get the radius that was asked for."""
    n = case.integer(5, 8)
    for radius in (0.9, 2.0):
        w = _not_along_the_reals(case.randn(n, n, dtype=DOUBLE))

        scaled = student.rescale_to_radius(w, radius)

        expect.inputs_unchanged(student, what="w")
        expect.close(
            scaled, w * (radius / _radius(w)), what="scaled matrix", hint=RADIUS
        )


@pytest.mark.points(10)
@pytest.mark.numeric
def check_drawn_states(student, case, reference):
    """States of drawn sequences are right, for one step and for many."""
    n = case.integer(4, 6)
    for T in (1, 9):
        w, x = case.randn(n, n, dtype=DOUBLE, scale=0.5), case.randn(T, n, dtype=DOUBLE)

        states = student.rnn_states(w, x)

        expect.close(states, reference.rnn_states(w, x), what=f"states, T={T}")


@pytest.mark.points(13)
@pytest.mark.numeric
def check_step_against_autograd(student, case):
    """The Jacobian of a step is what autograd finds."""
    n = case.integer(4, 6)
    w, before = case.randn(n, n, dtype=DOUBLE), case.randn(n, dtype=DOUBLE, scale=0.3)
    after = torch.tanh(w @ before)

    got = student.step_jacobian(after, w)

    expected = jacobian(lambda h: torch.tanh(w @ h), before)
    expect.close(got, expected, what="jacobian", hint=SIDE)


@pytest.mark.points(14)
@pytest.mark.numeric
def check_product_against_autograd(student, case):
    """The product over many steps is the derivative of the last state by the first."""
    n = case.integer(4, 6)
    w, x = (
        case.randn(n, n, dtype=DOUBLE, scale=0.6),
        case.randn(6, n, dtype=DOUBLE, scale=0.4),
    )

    def states(h):
        found = []
        for row in x:
            h = torch.tanh(w @ h + row)
            found.append(h)
        return torch.stack(found)

    start = torch.zeros(n, dtype=DOUBLE)
    got = student.jacobian_product(states(start), w)

    expected = jacobian(lambda h: states(h)[-1], start)
    expect.close(got, expected, what="product", hint=ORDER)


@pytest.mark.points(10)
@pytest.mark.numeric
def check_drawn_statistics(student, case, reference):
    """Statistics over many powers of ten are right, for odd and even numbers."""
    for count in (9, 12):
        norms = 10.0 ** (4 * case.randn(count, dtype=DOUBLE))

        stats = student.summarise(norms)

        expect.length(stats, 5, what="statistics")
        for name, value in reference.summarise(norms).items():
            got = stats.get(name)
            expect.close(got, value, what=name, hint=SHARES, rtol=1e-6, atol=1e-12)
