"""Suite for lstm_cell: gates opened and shut by hand, then the library's cell."""

import math

import pytest
import torch
from torch import nn

from grader.session import expect

pytestmark = pytest.mark.exercise("lstm_cell")

KEEP = "Which gate decides how much of the old cell state is kept?"
WRITE = (
    "Which gate decides how much new content is written, and may content be negative?"
)
SHOW = "What bounds h to (-1, 1)?"
ORDER = "Name the four blocks aloud in PyTorch's order."
COUNT = "List the four tensors of one layer with their shapes."
WHOLE = "Which operator makes a float of two ints?"
PAIR = "Which of the two states comes first?"


def _states(result, expected):
    """The pair (h, c), put right when it came as (c, h): one check asks for order."""
    first, second = expect.pair(result, what="result")
    tensors = isinstance(first, torch.Tensor) and isinstance(second, torch.Tensor)
    if tensors and first.shape == second.shape == expected[0].shape:
        as_is = (first - expected[0]).abs().max() + (second - expected[1]).abs().max()
        turned = (second - expected[0]).abs().max() + (first - expected[1]).abs().max()
        if turned < as_is:
            return second, first
    return first, second


def _unit(student, i=0.0, f=0.0, g=0.0, o=0.0, c=0.0):
    """One unit with weights of zero: only biases (i, f, g, o) and c count."""
    bias, zero = torch.tensor([i, f, g, o]), torch.zeros(1, 1)
    weight = torch.zeros(4, 1)
    old = torch.tensor([[c]])
    result = student.lstm_cell(zero, zero, old, weight, weight, bias, torch.zeros(4))
    return expect.pair(result, what="result")


def _cells(student, i=0.0, f=0.0, g=0.0, o=30.0, c=0.0):
    """The cell state alone, told from h by the open output gate: h = tanh(c)."""
    one, two = _unit(student, i, f, g, o, c)
    for state in (one, two):
        expect.tensor(state, (1, 1), what="state")
    return torch.maximum(one.abs(), two.abs()) * one.sign()


@pytest.mark.points(7)
@pytest.mark.numeric
def check_open_forget_gate_keeps(student):
    """With the forget gate open and the input gate shut the cell state stays."""
    kept = _cells(student, i=-30.0, f=30.0, g=2.0, c=1.7)
    lost = _cells(student, i=-30.0, f=-30.0, g=2.0, c=1.7)

    expect.close(kept, torch.tensor([[1.7]]), what="c", hint=KEEP)
    expect.close(lost, torch.tensor([[0.0]]), what="c, gate shut", hint=KEEP)


@pytest.mark.points(7)
@pytest.mark.numeric
def check_open_input_gate_writes(student):
    """With the input gate open the candidate is written, be it negative or not."""
    for g in (0.8, -0.8):
        c = _cells(student, i=30.0, f=-30.0, g=g, c=5.0)
        expect.close(c, torch.tensor([[math.tanh(g)]]), what=f"c, g={g}", hint=WRITE)


@pytest.mark.points(7)
@pytest.mark.numeric
def check_output_gate_shows(student):
    """The output gate shows its share of tanh of the cell state; h comes first."""
    h, c = _unit(student, i=-30.0, f=30.0, o=0.0, c=1.5)

    expect.close(c, torch.tensor([[1.5]]), what="c", hint=PAIR)
    expect.close(h, torch.tensor([[0.5 * math.tanh(1.5)]]), what="h", hint=SHOW)


@pytest.mark.points(14)
@pytest.mark.numeric
def check_equals_the_library(student, case):
    """A step of a batch equals nn.LSTMCell with the same weights."""
    B, D, H = case.sizes(B=(2, 4), D=(3, 6), H=(4, 7))
    cell = nn.LSTMCell(D, H)
    sizes = ((4 * H, D), (4 * H, H), (4 * H,), (4 * H,))
    weights = [case.randn(*size, scale=0.6) for size in sizes]
    with torch.no_grad():
        for parameter, value in zip(cell.parameters(), weights, strict=True):
            parameter.copy_(value)
    x, h, c = case.randn(B, D), case.randn(B, H), case.randn(B, H)

    expected = [state.detach() for state in cell(x, (h, c))]

    got = _states(student.lstm_cell(x, h, c, *weights), expected)

    expect.close(got[1], expected[1], what="c", hint=ORDER)
    expect.close(got[0], expected[0], what="h", hint=ORDER)


@pytest.mark.points(8)
@pytest.mark.numeric
def check_parameters_of_the_course(student):
    """The layer of the course, D = 8 and H = 32, has 5376 parameters."""
    count = student.lstm_param_count(8, 32)

    expect.equal(count, 5376, what="count", hint=COUNT)
    expect.number(count, int, what="count", hint=WHOLE)
    expect.equal(student.lstm_param_count(1, 1), 16, what="count, D=H=1", hint=COUNT)
