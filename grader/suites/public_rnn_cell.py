"""Suite for rnn_cell: one unit on paper, then the library's own RNN."""

import math

import pytest
import torch
from torch import nn

from grader.session import expect

pytestmark = pytest.mark.exercise("rnn_cell")

FORMULA = "Which terms stand inside the tanh? Work one unit out by hand."
BIASES = "Give b_ih and b_hh different values. Do both matter?"
SIDE = "A weight has one row for each hidden unit. On which side does a batch stand?"
AXIS = "x is batch first. Along which axis does time run?"
LAST = "Which of your states is the one after the last step?"
SMALL = "A step passes on w_hh * (1 - h^2) of the gradient. How often does that happen?"


def _layer(case, D, H):
    """An nn.RNN with drawn weights, and these weights in order."""
    layer = nn.RNN(D, H, batch_first=True)
    sizes = ((H, D), (H, H), (H,), (H,))
    weights = [case.randn(*size, scale=0.6) for size in sizes]
    with torch.no_grad():
        for parameter, value in zip(layer.parameters(), weights, strict=True):
            parameter.copy_(value)
    return layer, weights


@pytest.mark.points(8)
@pytest.mark.numeric
def check_one_unit_by_hand(student):
    """One hidden unit gives the tanh of its four terms."""
    x, h = torch.tensor([[2.0, -1.0]]), torch.tensor([[0.5]])
    w_ih, w_hh = torch.tensor([[0.3, 0.2]]), torch.tensor([[-0.4]])

    state = student.rnn_step(
        x, h, w_ih, w_hh, torch.tensor([0.25]), torch.tensor([0.1])
    )

    # 0.6 - 0.2 + 0.25 - 0.2 + 0.1
    expect.close(state, torch.tensor([[math.tanh(0.55)]]), what="state", hint=FORMULA)


@pytest.mark.points(8)
@pytest.mark.numeric
def check_step_of_a_batch(student, case):
    """A step of a batch equals one step of the library's RNN."""
    B, D, H = case.sizes(B=(2, 4), D=(3, 6), H=(4, 7))
    layer, weights = _layer(case, D, H)
    x, h = case.randn(B, D), case.randn(B, H)

    state = student.rnn_step(x, h, *weights)

    expected = layer(x.unsqueeze(1), h.unsqueeze(0))[1][0].detach()
    expect.tensor(state, (B, H), what="state", hint=SIDE)
    expect.close(state, expected, what="state", hint=BIASES)


@pytest.mark.points(10)
@pytest.mark.numeric
def check_every_state_along_time(student, case):
    """The output holds the state after each step, batch first."""
    B, T, D, H = case.sizes(B=(2, 4), T=(4, 7), D=(3, 6), H=(4, 8))
    layer, weights = _layer(case, D, H)
    x, h0 = case.randn(B, T, D), case.randn(B, H)

    output, h_n = expect.pair(student.rnn_forward(x, h0, *weights), what="result")

    expected = layer(x, h0.unsqueeze(0))[0].detach()
    expect.close(output, expected, what="output", hint=AXIS)
    expect.close(h_n, expected[:, -1], what="h_n", hint=LAST)


@pytest.mark.points(6)
@pytest.mark.numeric
def check_sequence_of_one_step(student):
    """A sequence of one step works, and starts from the state that was given."""
    h0, weight, bias = torch.tensor([[0.3, -0.2]]), torch.eye(2), torch.zeros(2)
    x = torch.zeros(1, 1, 2)

    result = student.rnn_forward(x, h0, weight, weight, bias, bias)

    output, h_n = expect.pair(result, what="result")
    expect.close(output, h0.tanh().unsqueeze(1), what="output")
    expect.close(h_n, h0.tanh(), what="h_n", hint="Where does the first step start?")


@pytest.mark.points(10)
@pytest.mark.numeric
def check_gradient_shrinks_by_a_factor(student):
    """At states of zero each step back multiplies the norm by w_hh."""
    x, one, zero = torch.zeros(1, 5, 2), torch.tensor([[0.5]]), torch.zeros(1)
    w_ih = torch.tensor([[3.0, 4.0]])

    norms = student.grad_norm_by_step(x, torch.zeros(1, 1), w_ih, one, zero, zero)

    expected = [[5.0 / 16, 5.0 / 8, 5.0 / 4, 5.0 / 2, 5.0]]
    expect.close(norms, expected, what="norms", hint=SMALL)
