"""Suite for grad_clip: vectors whose lengths are whole numbers."""

import pytest
import torch

from grader.session import expect

pytestmark = pytest.mark.exercise("grad_clip")

ONE_VECTOR = "How many norms does a model have: one, or one for each parameter?"
DIRECTION = "What happens to the direction of the whole gradient?"
SHORT = "Is a gradient that is short enough ever made longer?"
BEFORE = "Which norm warns you: that before clipping, or that after it?"
NONE = "What does your loop do with a parameter that the loss did not reach?"


def _model(worker, **grads):
    """A model of the kit with these gradients for p0, p1 (in a child), p2, ..."""
    names = [("inner." if i % 2 else "") + name for i, name in enumerate(grads)]
    shapes = [list(g.shape) if g is not None else [2] for g in grads.values()]
    model = worker.kit.Shapes(shapes)
    worker.kit.set_grads(model, dict(zip(names, grads.values(), strict=True)))
    return model


@pytest.mark.points(9)
@pytest.mark.numeric
def check_one_norm_of_all(student):
    """The global norm is the length of all gradients as one vector."""
    grads = [torch.tensor([[3.0, 0.0], [0.0, 4.0]]), torch.tensor([12.0])]

    expect.close(student.global_norm(grads), 13.0, what="norm", hint=ONE_VECTOR)
    last = student.global_norm(grads[1:])
    expect.close(last, 12.0, what="norm of one gradient", hint=ONE_VECTOR)


@pytest.mark.points(6)
@pytest.mark.numeric
def check_norm_with_missing_gradients(student):
    """A missing gradient counts as nothing."""
    some = student.global_norm([None, torch.tensor([6.0, 8.0]), None])
    none = student.global_norm([None, None])

    expect.close(some, 10.0, what="norm", hint=NONE)
    expect.close(none, 0.0, what="norm without any gradient", hint=NONE)


@pytest.mark.points(12)
@pytest.mark.numeric
def check_long_gradient_is_shortened(student, worker):
    """A long gradient keeps its direction and gets the length max_norm."""
    model = _model(worker, p0=torch.tensor([3.0, 0.0]), p1=torch.tensor([0.0, 4.0]))

    student.clip_gradients(model, 1.0)

    grads = model.grads()
    expect.close(grads["p0"], torch.tensor([0.6, 0.0]), what="p0.grad", hint=DIRECTION)
    expect.close(grads["inner.p1"], torch.tensor([0.0, 0.8]), what="inner.p1.grad")


@pytest.mark.points(8)
@pytest.mark.numeric
def check_short_gradient_stays(student, worker):
    """A gradient that is short enough stays as it is, and its norm comes back."""
    model = _model(worker, p0=torch.tensor([0.3, 0.0]), p1=torch.tensor([[0.4]]))

    norm = student.clip_gradients(model, 1.0)

    grads = model.grads()
    expect.close(norm, 0.5, what="norm", hint=BEFORE)
    expect.close(grads["p0"], torch.tensor([0.3, 0.0]), what="p0.grad", hint=SHORT)
    expect.close(grads["inner.p1"], torch.tensor([[0.4]]), what="inner.p1.grad")


@pytest.mark.points(8)
@pytest.mark.numeric
def check_norm_before_clipping_comes_back(student, worker):
    """The norm that comes back is that before clipping."""
    model = _model(worker, p0=torch.tensor([6.0]), p1=torch.tensor([8.0, 0.0]))

    norm = student.clip_gradients(model, 2.0)

    expect.close(norm, 10.0, what="norm", hint=BEFORE)
