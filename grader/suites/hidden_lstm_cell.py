"""Hidden suite for lstm_cell: drawn weights, gradients, many steps."""

import pytest
import torch
from torch import nn

from grader.session import expect

pytestmark = pytest.mark.exercise("lstm_cell")

BIASES = "Give b_ih and b_hh different values. Do both matter?"
ZEROS = "A state of zero hides half of the formula. Try a state that is not zero."
# Sums of terms of some hundred, rounded to float32, before a sigmoid.
ROUNDED = 1e-2
FAR = "What is e to the power of some hundred in this dtype?"
DTYPE = "Which dtype has a new tensor when you name none?"
GRADIENT = "Does the graph reach every argument?"
APART = "Which samples may a sample's state depend on?"


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


def _draw(case, B, D, H, **kwargs):
    sizes = ((B, D), (B, H), (B, H), (4 * H, D), (4 * H, H), (4 * H,), (4 * H,))
    return [case.randn(*size, scale=0.8, **kwargs) for size in sizes]


@pytest.mark.points(11)
@pytest.mark.numeric
def check_drawn_steps(student, case, reference):
    """Steps of drawn sizes are right, B = 1 and H = 1 included."""
    B, D, H = case.sizes(B=(2, 4), D=(3, 6), H=(4, 7))
    for sizes in ((B, D, H), (1, D, H), (B, D, 1), (H, 1, H), (B, H, H)):
        inputs = _draw(case, *sizes)
        expected = reference.lstm_cell(*inputs)

        got = _states(student.lstm_cell(*inputs), expected)

        expect.close(got[1], expected[1], what="c", hint=ZEROS)
        expect.close(got[0], expected[0], what="h", hint=ZEROS)


@pytest.mark.points(7)
@pytest.mark.numeric
def check_both_biases_count(student, case, reference):
    """Both biases are added, and only their sum matters."""
    inputs = _draw(case, 2, 3, 4)
    exchanged = [*(t.clone() for t in inputs[:5]), inputs[6], inputs[5]]

    expected = reference.lstm_cell(*inputs)

    got = _states(student.lstm_cell(*inputs), expected)
    again = _states(student.lstm_cell(*exchanged), expected)

    for name, one, two, want in zip(("h", "c"), got, again, expected, strict=True):
        expect.close(one, want, what=name, hint=BIASES)
        expect.close(two, want, what=f"{name}, biases exchanged", hint=BIASES)


@pytest.mark.points(12)
@pytest.mark.numeric
def check_gradients(student, case, reference):
    """Every argument gets its gradient."""
    B, D, H = case.sizes(B=(2, 3), D=(2, 5), H=(3, 6))
    inputs = _draw(case, B, D, H, dtype=torch.float64, requires_grad=True)
    up = case.randn(2, B, H, dtype=torch.float64)

    ours = reference.lstm_cell(*inputs)

    h, c = _states(student.lstm_cell(*inputs), ours)
    expect.tensor(h, (B, H), what="h")
    expect.tensor(c, (B, H), what="c")
    grads = torch.autograd.grad((up[0] * h + up[1] * c).sum(), inputs)

    h, c = ours
    expected = torch.autograd.grad((up[0] * h + up[1] * c).sum(), inputs)
    names = ("x", "h", "c", "w_ih", "w_hh", "b_ih", "b_hh")
    for name, got, want in zip(names, grads, expected, strict=True):
        expect.close(got, want, what=f"gradient of {name}", hint=GRADIENT)


@pytest.mark.points(9)
@pytest.mark.numeric
def check_many_steps(student, case, reference):
    """A cell used along a sequence keeps in step, and changes no argument."""
    D, H = case.sizes(D=(2, 4), H=(5, 7))
    x, h, c, *weights = _draw(case, 2, D, H)
    ours = (h, c)
    for t in range(6):
        step = x.roll(t, 1)
        ours = reference.lstm_cell(step, *ours, *weights)
        h, c = _states(student.lstm_cell(step, h.clone(), c.clone(), *weights), ours)
        expect.inputs_unchanged(student)

    expect.close(c, ours[1], what="c after 6 steps")
    expect.close(h, ours[0], what="h after 6 steps")


@pytest.mark.points(7)
@pytest.mark.numeric
def check_samples_stay_apart(student, case, reference):
    """Each sample of a batch gives what it gives alone."""
    D, H = case.sizes(D=(2, 4), H=(5, 7))
    x, h, c, *weights = _draw(case, 3, D, H)

    expected = [s[1:2] for s in reference.lstm_cell(x, h, c, *weights)]

    alone = student.lstm_cell(x[1:2], h[1:2], c[1:2], *weights)

    alone = _states(alone, expected)
    expect.close(alone[0], expected[0], what="h of one sample", hint=APART)
    expect.close(alone[1], expected[1], what="c of one sample", hint=APART)


@pytest.mark.points(8)
@pytest.mark.numeric
def check_drawn_parameter_counts(student, case):
    """The count is that of nn.LSTM for drawn sizes."""
    for _ in range(2):
        D, H = case.sizes(D=(2, 9), H=(3, 12))
        expected = sum(p.numel() for p in nn.LSTM(D, H).parameters())
        got = student.lstm_param_count(D, H)
        expect.equal(got, expected, what=f"count, D={D}, H={H}")


@pytest.mark.points(3)
@pytest.mark.numeric
def check_far_states(student, case, reference):
    """Gates far open or shut and large cell states stay right, in any dtype."""
    D, H = case.sizes(D=(2, 4), H=(5, 7))
    for dtype in (torch.float32, torch.float64):
        inputs = _draw(case, 4, D, H, dtype=dtype)
        # The first sample stays ordinary: far ones alone hide a wrong term by luck.
        inputs[0][1:3] *= 300
        inputs[2][1:3] *= 20
        inputs[2][3] = 1500 * inputs[2][3].sign()  # gates half open, a cell far out
        expected = reference.lstm_cell(*inputs)

        h, c = _states(student.lstm_cell(*inputs), expected)

        for name, got, want in (("h", h, expected[0]), ("c", c, expected[1])):
            expect.tensor(got, (4, H), dtype, what=name, hint=DTYPE)
            expect.close(got, want, what=name, hint=FAR, atol=ROUNDED)
