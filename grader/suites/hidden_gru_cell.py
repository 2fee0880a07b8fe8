"""Hidden suite for gru_cell: drawn weights, both forms, gradients."""

import pytest
import torch
from torch import nn

from grader.session import expect

pytestmark = pytest.mark.exercise("gru_cell")

FORM = "Compare both places in which the two forms differ: z, and where r acts."
BIASES = "Give b_ih and b_hh different values. Do both matter?"
# Sums of terms of some hundred, rounded to float32, before a sigmoid.
ROUNDED = 1e-2
FAR = "What is e to the power of some hundred in this dtype?"
DTYPE = "Which dtype has a new tensor when you name none?"
GRADIENT = "Does the graph reach every argument?"
CONVERT = "Run your converted weights through reset_after=True beside an nn.GRUCell."
STAYS = "The caller still holds PyTorch's weights."


def _draw(case, B, D, H, **kwargs):
    sizes = ((B, D), (B, H), (3 * H, D), (3 * H, H), (3 * H,), (3 * H,))
    return [case.randn(*size, scale=0.8, **kwargs) for size in sizes]


@pytest.mark.points(11)
@pytest.mark.numeric
def check_drawn_steps(student, case, reference):
    """Steps of drawn sizes are right in the course's form, B = 1 included."""
    B, D, H = case.sizes(B=(2, 4), D=(3, 6), H=(4, 7))
    for sizes in ((B, D, H), (1, D, H), (H, 1, B), (B, H, H), (B, D, 1)):
        inputs = _draw(case, *sizes)
        expected = reference.gru_cell(*inputs)

        state = student.gru_cell(*inputs)

        expect.inputs_unchanged(student)
        expect.close(state, expected, what="h", hint=FORM)


@pytest.mark.points(9)
@pytest.mark.numeric
def check_both_forms_of_the_reset(student, case, reference):
    """reset_after=True gives the other candidate, and False is the default."""
    B, D, H = case.sizes(B=(2, 4), D=(3, 6), H=(4, 7))
    inputs = _draw(case, B, D, H)

    after = student.gru_cell(*inputs, reset_after=True)
    expect.inputs_unchanged(student)
    before = student.gru_cell(*inputs, reset_after=False)

    expect.close(after, reference.gru_cell(*inputs, reset_after=True), what="h, after")
    expect.close(before, reference.gru_cell(*inputs), what="h, before", hint=FORM)
    _judge_gradients(student, reference, case, B, D, H, reset_after=True)


@pytest.mark.points(14)
@pytest.mark.numeric
def check_equals_the_library_when_converted(student, case):
    """With converted weights the step equals nn.GRUCell."""
    B, D, many = case.sizes(B=(2, 4), D=(3, 6), H=(4, 7))
    single, double = torch.float32, torch.float64
    # Twice the same shapes: other weights are not those of the last call.
    for H, dtype in ((many, double), (many, single), (many, single), (1, single)):
        x, h, *weights = _draw(case, B, D, H, dtype=dtype)
        cell = nn.GRUCell(D, H, dtype=dtype)
        with torch.no_grad():
            for parameter, value in zip(cell.parameters(), weights, strict=True):
                parameter.copy_(value)

        converted = expect.sequence(student.from_pytorch(*weights), 4, what="result")
        expect.inputs_unchanged(student, hint=STAYS)
        for got, given in zip(converted, weights, strict=True):
            expect.tensor(got, given.shape, dtype, what="result", hint=DTYPE)
        state = student.gru_cell(x, h, *converted, reset_after=True)

        expect.close(state, cell(x, h).detach(), what="h", hint=CONVERT)


@pytest.mark.points(11)
@pytest.mark.numeric
def check_gradients(student, case, reference):
    """Every argument gets its gradient."""
    B, D, H = case.sizes(B=(2, 3), D=(2, 5), H=(3, 6))
    _judge_gradients(student, reference, case, B, D, H)


def _judge_gradients(student, reference, case, B, D, H, **switch):
    inputs = _draw(case, B, D, H, dtype=torch.float64, requires_grad=True)
    up = case.randn(B, H, dtype=torch.float64)

    state = expect.tensor(student.gru_cell(*inputs, **switch), (B, H), what="h")
    grads = torch.autograd.grad((up * state).sum(), inputs)

    ours = (up * reference.gru_cell(*inputs, **switch)).sum()
    names = ("x", "h", "w_ih", "w_hh", "b_ih", "b_hh")
    for name, got, want in zip(
        names, grads, torch.autograd.grad(ours, inputs), strict=True
    ):
        expect.close(got, want, what=f"gradient of {name}", hint=GRADIENT)


@pytest.mark.points(6)
@pytest.mark.numeric
def check_drawn_parameter_counts(student, case):
    """The count is that of nn.GRU for drawn sizes."""
    for _ in range(2):
        D, H = case.sizes(D=(2, 9), H=(3, 12))
        expected = sum(p.numel() for p in nn.GRU(D, H).parameters())
        got = student.gru_param_count(D, H)
        expect.equal(got, expected, what=f"count, D={D}, H={H}")


@pytest.mark.points(3)
@pytest.mark.numeric
def check_far_states(student, case, reference):
    """Gates far open or shut and large states stay right, in any dtype."""
    D, H = case.sizes(D=(2, 4), H=(5, 7))
    for dtype in (torch.float32, torch.float64):
        inputs = _draw(case, 3, D, H, dtype=dtype)
        # The first sample stays ordinary: far ones alone hide a wrong term by luck.
        inputs[0][1:] *= 300
        inputs[1][1:] *= 20
        for after in (False, True):
            state = student.gru_cell(*inputs, reset_after=after)

            expected = reference.gru_cell(*inputs, reset_after=after)
            expect.tensor(state, (3, H), dtype, what="h", hint=DTYPE)
            expect.close(state, expected, what="h", hint=FAR, atol=ROUNDED)
