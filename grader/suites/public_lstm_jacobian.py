"""Suite for lstm_jacobian: paths opened and shut by hand."""

import math

import pytest
import torch

from grader.session import expect

pytestmark = pytest.mark.exercise("lstm_jacobian")

DOUBLE = torch.float64
GATES = "Are these gates before or after the sigmoid, and one row for each step?"
ORDER = "Gates are stacked i, f, g, o."
DIRECT = "What multiplies c at each step when nothing else depends on it?"
AROUND = "c also reaches the next step through h. Does your Jacobian know?"
SLOPE = "Each step multiplies by w_hh and by the slope of tanh."


def _shut(T, f=0.4):
    """One unit without recurrent weights: c only meets the forget gate."""
    x, w_ih = torch.zeros(T, 1, dtype=DOUBLE), torch.zeros(4, 1, dtype=DOUBLE)
    bias = torch.tensor([0.0, f, 0.5, 0.3], dtype=DOUBLE)
    return x, w_ih, torch.zeros(4, 1, dtype=DOUBLE), bias


@pytest.mark.points(9)
@pytest.mark.numeric
def check_gates_of_a_run(student):
    """A run gives its forget gates, and the cell state of its end."""
    x, w_ih, w_hh, bias = _shut(3)
    start = torch.tensor([2.0], dtype=DOUBLE)

    c_n, forget = expect.pair(
        student.lstm_run(x, start, start, w_ih, w_hh, bias), what="result"
    )

    f = 1 / (1 + math.exp(-0.4))
    c = 2.0
    for _ in range(3):
        c = f * c + 0.5 * math.tanh(0.5)
    expect.close(forget, torch.full((3, 1), f, dtype=DOUBLE), what="forget", hint=GATES)
    expect.close(c_n, torch.tensor([c], dtype=DOUBLE), what="c_n", hint=ORDER)


@pytest.mark.points(8)
@pytest.mark.numeric
def check_direct_path_is_a_product(student):
    """The direct path is the product of the gates, unit by unit."""
    gates = torch.tensor([[0.5, 1.0], [0.5, 0.9], [0.8, 0.9]], dtype=DOUBLE)

    direct = student.direct_path(gates)

    expected = torch.tensor([0.2, 0.81], dtype=DOUBLE)
    expect.close(direct, expected, what="direct path", hint=DIRECT)


@pytest.mark.points(9)
@pytest.mark.numeric
def check_whole_is_direct_without_recurrence(student):
    """Without recurrent weights the direct path is all there is."""
    x, w_ih, w_hh, bias = _shut(4)
    start = torch.tensor([0.7], dtype=DOUBLE)

    whole = student.full_jacobian(x, start, start, w_ih, w_hh, bias)

    f = 1 / (1 + math.exp(-0.4))
    expected = torch.tensor([[f**4]], dtype=DOUBLE)
    expect.close(whole, expected, what="jacobian", hint=DIRECT)


@pytest.mark.points(9)
@pytest.mark.numeric
def check_way_around_through_h(student):
    """With recurrent weights the way through h counts too."""
    x, w_ih, _, bias = _shut(2)
    w_hh = torch.tensor([[0.0], [0.0], [1.5], [0.0]], dtype=DOUBLE)
    start = torch.zeros(1, dtype=DOUBLE)

    whole = student.full_jacobian(x, start, start, w_ih, w_hh, bias)

    f, o = 1 / (1 + math.exp(-0.4)), 1 / (1 + math.exp(-0.3))
    c1 = 0.5 * math.tanh(0.5)
    h1 = o * math.tanh(c1)
    slope = 0.5 * (1 - math.tanh(0.5 + 1.5 * h1) ** 2) * 1.5
    around = slope * o * (1 - math.tanh(c1) ** 2) * f
    expected = torch.tensor([[f * f + around]], dtype=DOUBLE)
    expect.close(whole, expected, what="jacobian", hint=AROUND)


@pytest.mark.points(8)
@pytest.mark.numeric
def check_rnn_of_one_unit(student):
    """At states of zero a plain RNN multiplies by its weight at each step."""
    x, zero = torch.zeros(5, 1, dtype=DOUBLE), torch.zeros(1, dtype=DOUBLE)
    w = torch.tensor([[0.5]], dtype=DOUBLE)

    jacobian = student.rnn_jacobian(x, zero, w, w, zero)

    expected = torch.tensor([[0.5**5]], dtype=DOUBLE)
    expect.close(jacobian, expected, what="jacobian", hint=SLOPE)
