"""Suite for forget_bias: what the forget gates see, and that nothing else moves.

Two answers are right: the sum of both biases is the value, or bias_ih is the
value and bias_hh is left as it was, as the course's own snippet does.
"""

import pytest
import torch
from torch import nn

from grader.session import expect

pytestmark = pytest.mark.exercise("forget_bias")

SUM = "The gate adds two biases. Print their sum over the slice of the forget gate."
VALUE = "Which number did the caller ask for, and which one did you write?"
LAYERS = (
    "List the names in named_parameters() of a 3-layer LSTM. Which ones did you visit?"
)
GATES = "In which order does PyTorch stack the gates in a bias? Which quarter moved?"
WEIGHTS = "Print every parameter's name that you change. Does each start with 'bias'?"
TWICE = "Do you set the bias or add to it? Call it twice and look."
# What is missing to 8, added in float32, is rounded twice by 5e-7.
ROUNDED = 5e-6
NOTHING = "Print the biases of the lstm itself, not of a variable, before and after."


def _lstm(worker, case, D, H, L=1):
    """(a handle of an LSTM, its parameters by name): bias_ih is far from usual."""
    lstm = worker.torch.nn.LSTM(D, H, num_layers=L, batch_first=True)
    forms = case.once(
        f"forms of {D}, {H}, {L}",
        lambda: [(n, p.shape) for n, p in nn.LSTM(D, H, L).named_parameters()],
    )
    usual = H**-0.5
    before = {
        name: case.rand(*shape, lo=2.5, hi=3.5)
        if name.startswith("bias_ih")
        else case.rand(*shape, lo=-usual, hi=usual)
        for name, shape in forms
    }
    lstm.load_state_dict(before)
    return lstm, before


def _after(lstm, before):
    """The parameters now, of the names and shapes as before, some bias changed."""
    after = lstm.state_dict()
    expect.equal(sorted(after), sorted(before), what="names of the parameters")
    for name, old in before.items():
        expect.tensor(after[name], old.shape, old.dtype, what=name)
    biases = [name for name in before if name.startswith("bias")]
    changed = any(not torch.equal(after[name], before[name]) for name in biases)
    expect.true(changed, what="biases", expected="some of them set", hint=NOTHING)
    return after


def _expect_forget(before, after, value, hint):
    """Each forget gate sees ``value``, or the course's snippet was at work."""
    for name in before:
        if not name.startswith("bias_ih"):
            continue
        other = name.replace("_ih_", "_hh_")
        f = slice(len(before[name]) // 4, len(before[name]) // 2)
        ih, hh = after[name][f].double(), after[other][f].double()
        untouched = torch.equal(after[other][f], before[other][f])
        if untouched and bool(((ih - value).abs() <= 1e-6).all()):
            continue
        what = f"{name} + {other} at the forget gate"
        wanted = torch.full_like(ih, value)
        expect.close(ih + hh, wanted, what=what, hint=hint, atol=ROUNDED, rtol=0.0)


@pytest.mark.points(10)
@pytest.mark.numeric
def check_forget_gate_sees_one(student, worker, case):
    """Without a value given, the forget gate of one layer sees a bias of 1."""
    D, H = case.sizes(D=(3, 6), H=(64, 70))
    lstm, before = _lstm(worker, case, D, H)

    student.init_forget_bias(lstm)

    _expect_forget(before, _after(lstm, before), 1.0, SUM)


@pytest.mark.points(8)
@pytest.mark.numeric
def check_given_value(student, worker, case):
    """The forget gate sees the value that was asked for."""
    D, H = case.sizes(D=(3, 6), H=(64, 70))
    for value in (2.0, -0.5):
        lstm, before = _lstm(worker, case, D, H)

        student.init_forget_bias(lstm, value)

        _expect_forget(before, _after(lstm, before), value, VALUE)


@pytest.mark.points(8)
@pytest.mark.numeric
def check_every_layer(student, worker, case):
    """The forget gates of all layers see the value."""
    D, H, L = case.sizes(D=(4, 6), H=(64, 70), L=(2, 3))
    lstm, before = _lstm(worker, case, D, H, L)

    student.init_forget_bias(lstm, 1.5)

    _expect_forget(before, _after(lstm, before), 1.5, LAYERS)


@pytest.mark.points(7)
@pytest.mark.numeric
def check_other_gates_are_kept(student, worker, case):
    """The biases of the gates i, g and o keep their numbers."""
    D, H = case.sizes(D=(3, 6), H=(64, 70))
    lstm, before = _lstm(worker, case, D, H, L=2)

    student.init_forget_bias(lstm, 1.0)

    after = _after(lstm, before)
    for name in before:
        if name.startswith("bias"):
            for gate, at in (("i", 0), ("g", 2), ("o", 3)):
                quarter = slice(at * H, (at + 1) * H)
                got, kept = after[name][quarter], before[name][quarter]
                expect.equal(got, kept, what=f"gate {gate} of {name}", hint=GATES)


@pytest.mark.points(6)
@pytest.mark.numeric
def check_weights_are_kept(student, worker, case):
    """The weights keep their numbers, only biases are set."""
    D, H = case.sizes(D=(3, 6), H=(64, 70))
    lstm, before = _lstm(worker, case, D, H, L=2)

    student.init_forget_bias(lstm, 1.0)

    after = _after(lstm, before)
    for name in before:
        if name.startswith("weight"):
            expect.equal(after[name], before[name], what=name, hint=WEIGHTS)


@pytest.mark.points(7)
@pytest.mark.numeric
def check_twice_is_once(student, worker, case):
    """A second call with the same value changes nothing more."""
    D, H = case.sizes(D=(3, 6), H=(64, 70))
    lstm, before = _lstm(worker, case, D, H)

    student.init_forget_bias(lstm, 2.0)
    once = _after(lstm, before)
    student.init_forget_bias(lstm, 2.0)
    twice = _after(lstm, before)

    for name in before:
        expect.close(
            twice[name], once[name], what=f"{name} after two calls", hint=TWICE
        )
