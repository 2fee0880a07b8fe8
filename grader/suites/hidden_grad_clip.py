"""Hidden suite for grad_clip: drawn shapes, missing and broken gradients."""

import math

import pytest
import torch

from grader.session import expect

pytestmark = pytest.mark.exercise("grad_clip")

FACTOR = "Is it the same factor for every parameter, however many there are?"
NONE = "A gradient of None is not a gradient of zero. What is it afterwards?"
SHORT = "Is anything done to a gradient that is short enough?"
PARAMETERS = "Gradients are to be changed. What about the parameters?"
SHARED = "How often does a weight that two layers share stand in the vector?"
NOT_FINITE = "What does one NaN do to the norm, and what would the factor be?"


def _draw(case, *shapes):
    """Names of the kit's parameters, and drawn gradients for these shapes."""
    names = [("inner." if i % 2 else "") + f"p{i}" for i in range(len(shapes))]
    return {name: case.randn(*s) for name, s in zip(names, shapes, strict=True)}


def _model(worker, grads):
    shapes = [list(g.shape) if g is not None else [2] for g in grads.values()]
    model = worker.kit.Shapes(shapes)
    worker.kit.set_grads(model, grads)
    return model


def _norm(grads):
    return math.sqrt(sum(float(g.double().pow(2).sum()) for g in grads.values()))


@pytest.mark.points(8)
@pytest.mark.numeric
def check_norm_of_drawn_gradients(student, case):
    """The norm of gradients of any shapes is right."""
    a, b = case.sizes(A=(3, 5), B=(2, 6))
    grads = _draw(case, (a, b), (b,), (a, 1, b), (1,))
    grads["inner.p3"] = grads["inner.p3"][0]  # of a single number

    norm = student.global_norm(list(grads.values()))

    expect.close(norm, torch.tensor(_norm(grads)), what="norm", hint=FACTOR)
    expect.inputs_unchanged(student, what="gradients", hint=FACTOR)


@pytest.mark.points(12)
@pytest.mark.numeric
def check_drawn_gradients_are_clipped(student, worker, case):
    """Gradients of any shapes are all shortened by the same factor."""
    a, b = case.sizes(A=(3, 5), B=(2, 6))
    # Also where the norm is below 1: its square lies on its other side then.
    for scale, share in ((1.0, 0.3), (0.05, 0.8)):
        drawn = _draw(case, (a, b), (b,), (b, a), (a,))
        grads = {name: scale * grad for name, grad in drawn.items()}
        model, whole = _model(worker, grads), _norm(grads)

        norm = student.clip_gradients(model, share * whole)

        expect.close(norm, torch.tensor(whole), what="norm")
        for name, grad in model.grads().items():
            expected = share * grads[name]
            expect.close(grad, expected, what=f"{name}.grad", hint=FACTOR)


@pytest.mark.points(4)
@pytest.mark.numeric
def check_shared_weight_counts_once(student, worker, case):
    """A weight that two layers share counts once and is shortened once."""
    grads = {"own": case.randn(3), "first.weight": case.randn(2, 2)}
    model, whole = worker.kit.Tied(3, 2), _norm(grads)
    worker.kit.set_grads(model, grads)

    norm = student.clip_gradients(model, 0.5 * whole)

    expect.close(norm, torch.tensor(whole), what="norm", hint=SHARED)
    after = model.grads()
    for name, grad in grads.items():
        expect.close(after[name], 0.5 * grad, what=f"{name}.grad", hint=SHARED)


@pytest.mark.points(8)
@pytest.mark.numeric
def check_missing_gradients_stay_missing(student, worker, case):
    """A parameter without a gradient has none afterwards, the others are clipped."""
    grads = {**_draw(case, (3, 2), (4,)), "p2": None}
    whole = _norm({name: grads[name] for name in ("p0", "inner.p1")})
    model = _model(worker, grads)

    student.clip_gradients(model, whole / 4)

    after = model.grads()
    expect.close(after["p0"], grads["p0"] / 4, what="p0.grad")
    expect.close(after["inner.p1"], grads["inner.p1"] / 4, what="inner.p1.grad")
    missing = after["p2"] is None
    expect.true(missing, what="p2.grad", expected="None", got="a tensor", hint=NONE)

    # Nothing has been backpropagated yet.
    none = _model(worker, {"p0": None, "inner.p1": None})
    expect.close(student.clip_gradients(none, 1.0), 0.0, what="norm")
    missing = all(grad is None for grad in none.grads().values())
    expect.true(missing, what="p0.grad", expected="None", got="a tensor", hint=NONE)


@pytest.mark.points(6)
@pytest.mark.property
def check_parameters_stay(student, worker, case):
    """Clipping changes no parameter."""
    model = _model(worker, _draw(case, (3, 2), (4,)))

    student.clip_gradients(model, 0.1)

    for name, value in model.state_dict().items():
        expected = torch.full(value.shape, 0.5)
        expect.close(value, expected, what=name, hint=PARAMETERS)


@pytest.mark.points(5)
@pytest.mark.numeric
def check_clipping_twice(student, worker, case):
    """A second call with the same bound finds nothing left to clip."""
    grads = _draw(case, (3, 2), (4,))
    model = _model(worker, grads)

    first = student.clip_gradients(model, 0.7)
    once = model.grads()
    second = student.clip_gradients(model, 0.7)

    expect.close(first, torch.tensor(_norm(grads)), what="norm of the first call")
    expect.close(second, torch.tensor(0.7), what="norm of the second call")
    for name, grad in model.grads().items():
        expect.close(grad, once[name], what=f"{name}.grad after both calls")

    worker.kit.set_grads(model, grads)  # those of the next step
    student.clip_gradients(model, 0.7)
    for name, grad in model.grads().items():
        expect.close(grad, once[name], what=f"{name}.grad of the next step")


@pytest.mark.points(6)
@pytest.mark.numeric
def check_tiny_and_huge_gradients(student, worker):
    """Huge gradients are clipped to the bound exactly, tiny and zero ones stay."""
    grads = {"p0": torch.tensor([1e-4, 0.0]), "inner.p1": torch.tensor([3e8, 4e8])}
    model = _model(worker, grads)

    norm = student.clip_gradients(model, 1.0)

    expect.close(norm, torch.tensor(5e8), what="norm")
    after = model.grads()
    expect.close(after["inner.p1"], torch.tensor([0.6, 0.8]), what="grad")
    shorter = torch.tensor([2e-13, 0.0])
    expect.close(after["p0"], shorter, what="p0.grad", hint=FACTOR, atol=1e-17)

    for short in (torch.tensor([3e-5, 4e-5]), torch.zeros(2)):
        worker.kit.set_grads(model, {"p0": short, "inner.p1": torch.zeros(2)})
        norm = student.clip_gradients(model, 1e-4)
        expect.close(norm, short.norm(), what="norm")
        left = model.grads()["p0"]
        expect.close(left, short, what="p0.grad", hint=SHORT, atol=1e-9)


@pytest.mark.points(8)
@pytest.mark.errors
def check_norm_that_is_not_finite(student, worker):
    """NaN or infinity raises ValueError and leaves the gradients as they are."""
    good = {"p0": torch.tensor([3.0, 4.0]), "inner.p1": torch.zeros(1)}
    model = _model(worker, good)
    expect.close(student.clip_gradients(model, 10.0), 5.0, what="norm")

    for first, last, bad in (
        (3.0, math.nan, math.nan),
        (3.0, -math.inf, -math.inf),
        (math.inf, 2.0, math.inf),
        (math.nan, 2.0, math.nan),
    ):
        grads = {"p0": torch.tensor([first, 4.0]), "inner.p1": torch.tensor([last])}
        worker.kit.set_grads(model, grads)
        with expect.raises(ValueError, what=f"a gradient of {bad}", hint=NOT_FINITE):
            student.clip_gradients(model, 1.0)
        left = model.grads()["p0"]
        expect.close(
            left[1:], grads["p0"][1:], what="p0.grad afterwards", hint=NOT_FINITE
        )
