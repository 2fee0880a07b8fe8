"""Suite for bptt_jacobian: matrices whose radius and products are known."""

import math

import pytest
import torch

from grader.session import expect

pytestmark = pytest.mark.exercise("bptt_jacobian")

RADIUS = "The largest |eigenvalue|, also of complex ones: no singular value."
SIDE = "Unit i of the new state has the slope 1 - h[i]^2. Which row or column is that?"
STATES = "What does the first step see, and what is added at each step?"
MIDDLE = "What is the median of 1, 2, 3 and 10?"


@pytest.mark.points(9)
@pytest.mark.numeric
def check_radius_of_known_matrices(student):
    """Triangular and rotating matrices get the spectral radius that was asked for."""
    triangular = torch.tensor([[2.0, 9.0], [0.0, -4.0]]).double()
    rotation = torch.tensor([[0.0, -3.0], [3.0, 0.0]]).double()

    first = student.rescale_to_radius(triangular, 1.0)
    second = student.rescale_to_radius(rotation, 1.5)

    expect.close(first, triangular / 4, what="triangular matrix", hint=RADIUS)
    expect.close(second, rotation / 2, what="rotation", hint=RADIUS)


@pytest.mark.points(8)
@pytest.mark.numeric
def check_states_by_hand(student):
    """States start from zero and follow the recurrence."""
    w = torch.tensor([[0.0, 0.5], [0.0, 0.0]]).double()
    x = torch.tensor([[0.2, 0.4], [0.1, -0.3], [0.0, 0.0]]).double()

    states = student.rnn_states(w, x)

    tanh = math.tanh
    expected = [[tanh(0.2), tanh(0.4)], [tanh(0.1 + 0.5 * tanh(0.4)), tanh(-0.3)]]
    expected.append([tanh(0.5 * tanh(-0.3)), 0.0])
    expect.close(states, torch.tensor(expected).double(), what="states", hint=STATES)


@pytest.mark.points(9)
@pytest.mark.numeric
def check_one_step_by_hand(student):
    """The Jacobian of one step scales each row of W by 1 - h^2."""
    w = torch.tensor([[1.0, 2.0], [3.0, 4.0]]).double()

    jacobian = student.step_jacobian(torch.tensor([0.5, 0.0]).double(), w)

    expected = torch.tensor([[0.75, 1.5], [3.0, 4.0]]).double()
    expect.close(jacobian, expected, what="jacobian", hint=SIDE)


@pytest.mark.points(9)
@pytest.mark.numeric
def check_powers_without_tanh(student):
    """At states of zero the product is a power of W."""
    w = torch.tensor([[1.0, 1.0], [0.0, 1.0]]).double()

    product = student.jacobian_product(torch.zeros(5, 2).double(), w)

    expected = torch.tensor([[1.0, 5.0], [0.0, 1.0]]).double()
    expect.close(product, expected, what="product", hint="How many steps are there?")


@pytest.mark.points(8)
@pytest.mark.numeric
def check_statistics_of_a_few_norms(student):
    """Median, extremes and shares of a few norms are right."""
    # Two stand at a border, where neither share counts them, one just above.
    norms = [1e5, 1e-4, 1e3, 4.0, 2.0, 3.0, 1000.5, 1e-3]

    stats = student.summarise(torch.tensor(norms, dtype=torch.float64))

    expect.length(stats, 5, what="statistics")
    wanted = {
        "median": 3.5,
        "min": 1e-4,
        "max": 1e5,
        "exploded": 0.25,
        "vanished": 0.125,
    }
    expect.equal(sorted(stats), sorted(wanted), what="names")
    for name, value in wanted.items():
        expect.close(stats[name], value, what=name, hint=MIDDLE)
