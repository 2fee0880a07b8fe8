"""Hidden suite for forget_bias: directions, projections, sizes, training afterwards."""

import pytest
import torch
from torch import nn

from grader.session import expect

pytestmark = pytest.mark.exercise("forget_bias")

BOTH = "List the names in named_parameters() of a bidirectional LSTM. Any you missed?"
SIZES = "Does your answer depend on H, on the value or on earlier calls?"
ZERO = "Is 0 a value like any other in your code?"
PROJ = "With proj_size, which tensors still tell you the size of one gate?"
SAME = "Does an optimizer that was made before the call still hold the same parameters?"
GRADIENT = "Call backward after your function. Which .grad is None, and since when?"
DTYPE = "Try an LSTM whose parameters are float64."
# What is missing to 8, added in float32, is rounded twice by 5e-7.
ROUNDED = 5e-6
NOTHING = "Print the biases of the lstm itself, not of a variable, before and after."


def _ours(D, H, **kinds):
    """An LSTM on our side, as the one in the worker."""
    return nn.LSTM(D, H, batch_first=True, **kinds)


def _lstm(worker, case, D, H, **kinds):
    """(handle, parameters by name) of an LSTM whose bias_ih is far from usual."""
    forms = case.once(
        f"forms of {D}, {H}, {kinds}",
        lambda: [
            (n, p.shape, p.dtype) for n, p in _ours(D, H, **kinds).named_parameters()
        ],
    )
    usual = H**-0.5
    before = {
        name: case.rand(*shape, lo=2.5, hi=3.5, dtype=dtype)
        if name.startswith("bias_ih")
        else case.rand(*shape, lo=-usual, hi=usual, dtype=dtype)
        for name, shape, dtype in forms
    }
    lstm = worker.torch.nn.LSTM(D, H, batch_first=True, **kinds)
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
    """Each forget gate sees ``value`` (see public), and no other number has moved."""
    for name in before:
        kept, now = before[name].clone(), after[name].clone()
        if name.startswith("bias"):
            f = slice(len(kept) // 4, len(kept) // 2)
            kept[f], now[f] = 0, 0
        expect.equal(now, kept, what=f"{name} without its forget gate", hint=hint)
        if not name.startswith("bias_ih"):
            continue
        other = name.replace("_ih_", "_hh_")
        ih, hh = after[name][f].double(), after[other][f].double()
        untouched = torch.equal(after[other][f], before[other][f])
        if untouched and bool(((ih - value).abs() <= 1e-6).all()):
            continue
        what = f"{name} + {other} at the forget gate"
        wanted = torch.full_like(ih, value)
        expect.close(ih + hh, wanted, what=what, hint=hint, atol=ROUNDED, rtol=0.0)


def _backward(lstm, ours, case, D):
    """One backward through the same loss in both; the handle's output is compared."""
    x = case.randn(3, 5, D)
    output, wanted = lstm(x)[0], ours(x)[0]
    factor = case.randn(*wanted.shape)
    expect.close(output, wanted, what="output of the LSTM", hint=SAME)
    expect.true(output.requires_grad, what="output.requires_grad", hint=GRADIENT)
    (output * factor).sum().backward()
    (wanted * factor).sum().backward()


@pytest.mark.points(13)
@pytest.mark.numeric
def check_both_directions(student, worker, case):
    """Forward and backward direction of every layer see the value."""
    D, H, L = case.sizes(D=(4, 6), H=(64, 70), L=(2, 3))
    lstm, before = _lstm(worker, case, D, H, num_layers=L, bidirectional=True)

    student.init_forget_bias(lstm, 1.25)

    _expect_forget(before, _after(lstm, before), 1.25, BOTH)


@pytest.mark.points(11)
@pytest.mark.numeric
def check_any_size_any_time(student, worker, case):
    """Small and large LSTMs, call after call, with and without a graph."""
    H, value = case.integer(2, 9), case.integer(-8, 8) / 8 + 0.0625
    sizes = [(H, 1), (1, 11), (130, 1), (H + 60, 2)]
    # Above what the biases hold and below it, and no number of a few binary digits.
    for (size, layers), more in zip(sizes, (0.0, 6.3, -3.3, 0.7), strict=True):
        lstm, before = _lstm(worker, case, 3, size, num_layers=layers)

        with torch.set_grad_enabled(more <= 0):
            student.init_forget_bias(lstm, value=value + more)

        _expect_forget(before, _after(lstm, before), value + more, SIZES)

    student.init_forget_bias(lstm, value=2.2)  # the same one again

    _expect_forget(before, _after(lstm, before), 2.2, SIZES)


@pytest.mark.points(4)
@pytest.mark.numeric
def check_zero_is_a_value(student, worker, case):
    """A value of 0, or an int, is set like any other."""
    D, H = case.sizes(D=(3, 6), H=(64, 70))
    for value in (0.0, 0):
        lstm, before = _lstm(worker, case, D, H)

        student.init_forget_bias(lstm, value)

        _expect_forget(before, _after(lstm, before), value, ZERO)


@pytest.mark.points(8)
@pytest.mark.numeric
def check_projections(student, worker, case):
    """An LSTM with proj_size is handled like any other."""
    D, P, H = case.sizes(D=(3, 6), P=(8, 20), H=(64, 70))
    lstm, before = _lstm(worker, case, D, H, proj_size=P, bidirectional=True)

    student.init_forget_bias(lstm, 1.0)

    _expect_forget(before, _after(lstm, before), 1.0, PROJ)


@pytest.mark.points(9)
@pytest.mark.numeric
def check_optimizer_still_trains(student, worker, case):
    """An optimizer made before the call still moves every parameter."""
    D, H = case.sizes(D=(3, 6), H=(64, 70))
    lstm, before = _lstm(worker, case, D, H)
    ours = _ours(D, H)
    optimizer = worker.kit.sgd(lstm, lr=0.1)

    student.init_forget_bias(lstm, 1.0)
    ours.load_state_dict(_after(lstm, before))
    _backward(lstm, ours, case, D)
    worker.kit.step(optimizer)

    torch.optim.SGD(ours.parameters(), lr=0.1).step()
    trained = lstm.state_dict()
    for name, wanted in ours.state_dict().items():
        expect.close(trained.get(name), wanted, what=f"{name} trained", hint=SAME)


@pytest.mark.points(5)
@pytest.mark.numeric
def check_gradients_still_flow(student, worker, case):
    """After the call every parameter gets its gradient, in one layer or more."""
    D, H = case.sizes(D=(3, 6), H=(64, 70))
    lstm, before = _lstm(worker, case, D, H, num_layers=2)
    ours = _ours(D, H, num_layers=2)

    student.init_forget_bias(lstm, 1.0)
    ours.load_state_dict(_after(lstm, before))
    _backward(lstm, ours, case, D)

    grads = lstm.grads()
    for name, parameter in ours.named_parameters():
        expect.close(
            grads.get(name), parameter.grad, what=f"{name}.grad", hint=GRADIENT
        )


@pytest.mark.points(4)
@pytest.mark.numeric
def check_float64(student, worker, case):
    """A float64 LSTM stays float64 and sees the value."""
    D, H = case.sizes(D=(3, 6), H=(64, 70))
    lstm, before = _lstm(worker, case, D, H, dtype=torch.float64)

    student.init_forget_bias(lstm, 0.75)

    _expect_forget(before, _after(lstm, before), 0.75, DTYPE)
