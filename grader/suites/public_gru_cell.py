"""Suite for gru_cell: gates opened and shut by hand, then recorded numbers."""

import math

import pytest
import torch
from torch import nn

from grader.session import expect

pytestmark = pytest.mark.exercise("gru_cell")

UPDATE = "In the course's form: what should z -> 1 do to the old state?"
RESET = "Where does r stand in the formula that you were given?"
ORDER = "In which order does PyTorch stack r, z and n?"
SIGN = "Which rows belong to z, and what is 1 - sigmoid(a) in terms of sigmoid?"
WHOLE = "Which operator and which factor make a float of an int?"
COUNT = "How many blocks are stacked, and how many biases are there?"


def _unit(student, r=0.0, z=0.0, n=0.0, u=0.0, h=0.0, b_hn=0.0, **kwargs):
    """One unit whose gates see biases only; u is its recurrent weight for n."""
    x, state, w_ih = torch.zeros(1, 1), torch.tensor([[h]]), torch.zeros(3, 1)
    w_hh = torch.tensor([[0.0], [0.0], [u]])
    b_ih, b_hh = torch.tensor([r, z, n]), torch.tensor([0.0, 0.0, b_hn])
    return student.gru_cell(x, state, w_ih, w_hh, b_ih, b_hh, **kwargs)


@pytest.mark.points(9)
@pytest.mark.numeric
def check_update_gate_of_the_course(student):
    """With z near 0 the old state stays, with z near 1 the candidate replaces it."""
    kept = _unit(student, z=-30.0, n=0.7, h=0.3)
    replaced = _unit(student, z=30.0, n=0.7, h=0.3)

    expect.close(kept, torch.tensor([[0.3]]), what="h, z = 0", hint=UPDATE)
    expected = torch.tensor([[math.tanh(0.7)]])
    expect.close(replaced, expected, what="h, z = 1", hint=UPDATE)


@pytest.mark.points(9)
@pytest.mark.numeric
def check_reset_gate_before_the_product(student):
    """The reset gate acts on the old state alone, before the product with U_n."""
    # r = 1/2: the candidate is tanh(2 * (0.5 * 0.4) + 0.6).
    state = _unit(student, z=30.0, u=2.0, h=0.4, b_hn=0.6)

    expect.close(state, torch.tensor([[math.tanh(1.0)]]), what="h", hint=RESET)


@pytest.mark.points(7)
@pytest.mark.numeric
def check_reset_gate_after_the_product(student):
    """With reset_after=True it acts on the product and its bias together."""
    # r = 1/2: the candidate is tanh(0.5 * (2 * 0.4 + 0.6)).
    state = _unit(student, z=30.0, u=2.0, h=0.4, b_hn=0.6, reset_after=True)

    expect.close(state, torch.tensor([[math.tanh(0.7)]]), what="h", hint=RESET)


@pytest.mark.points(7)
@pytest.mark.numeric
def check_blocks_of_r_z_n(student):
    """The rows are stacked r, z, n."""
    # Only the first block is open: z = 0 keeps the state whatever n is.
    first = _unit(student, r=30.0, z=-30.0, n=2.0, u=1.0, h=0.25)
    # z = 1, and the shut first block keeps h out of the candidate.
    second = _unit(student, r=-30.0, z=30.0, n=-0.2, u=5.0, h=0.25)

    expect.close(first, torch.tensor([[0.25]]), what="h, z = 0", hint=ORDER)
    expect.close(second, torch.tensor([[math.tanh(-0.2)]]), what="h, r = 0", hint=ORDER)


@pytest.mark.points(9)
@pytest.mark.numeric
def check_converted_weights(student):
    """Converting changes the rows of z and no others."""
    stacked = torch.arange(1.0, 7.0)
    w_ih, w_hh = torch.ones(6, 3), torch.full((6, 2), 2.0)
    given = (w_ih, w_hh, stacked, -stacked)

    got = student.from_pytorch(*(tensor.clone() for tensor in given))

    got = expect.sequence(got, 4, what="result")
    signs = torch.tensor([1.0, 1.0, -1.0, -1.0, 1.0, 1.0])
    names = ("w_ih", "w_hh", "b_ih", "b_hh")
    for name, value, before in zip(names, got, given, strict=True):
        shape = (6,) if before.dim() == 1 else (6, 1)
        expect.close(value, before * signs.reshape(shape), what=name, hint=SIGN)


@pytest.mark.points(5)
@pytest.mark.numeric
def check_parameters_of_the_course(student):
    """A GRU has three quarters of the parameters of an LSTM."""
    lstm = sum(p.numel() for p in nn.LSTM(8, 32).parameters())

    count = student.gru_param_count(8, 32)

    expect.equal(count, 4032, what="count", hint=COUNT)
    expect.number(count, int, what="count", hint=WHOLE)
    expect.equal(count * 4, lstm * 3, what="count times 4")
