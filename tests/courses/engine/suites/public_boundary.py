"""Suite about the boundary itself: what crosses it, and what does not."""

import pytest
import torch

from grader.session import expect

pytestmark = pytest.mark.exercise("boundary")


@pytest.mark.points(10)
@pytest.mark.numeric
def check_data_comes_back_as_it_went(student):
    """Plain data comes back as it went."""
    for value in (None, True, -3, 2.5, "é", [1, [2]], (1, (2,)), {"a": [1]}, 2**62):
        expect.equal(student.echo(value), value, what="echo")
    expect.equal(type(student.echo((1,))).__name__, "tuple", what="a tuple")


@pytest.mark.points(20)
@pytest.mark.numeric
def check_tensors_come_back_as_they_went(student, case):
    """Tensors of every dtype come back as they went."""
    for dtype in (torch.float16, torch.bfloat16, torch.float32, torch.float64):
        value = case.randn(2, 3, dtype=dtype)
        expect.close(student.echo(value), value, what=str(dtype), atol=0, rtol=0)
    for value in (case.bool(4), case.randint(0, 9, 2, 0), torch.tensor(3)):
        expect.equal(student.echo(value), value, what="integers")
    strided = case.randn(4, 6)[:, ::2].t()
    expect.close(student.echo(strided), strided, what="strided", atol=0, rtol=0)
    expect.equal(str(student.echo(torch.float16)), "torch.float16", what="dtype")


@pytest.mark.points(10)
@pytest.mark.numeric
def check_transposed_tensor_arrives_row_after_row(student, case):
    """A transposed tensor is a contiguous one over there; its gradient comes back."""
    for dtype in (torch.bool, torch.int64, torch.bfloat16, torch.float64):
        value = case.randint(0, 2, 2, 3, 4).to(dtype).transpose(1, 2)
        strides, *_ = student.layout(value)
        expect.equal(strides, [12, 3, 1], what=f"strides of {dtype}")
        expect.close(student.scale(value), value * 2.0, what=str(dtype))
        expect.inputs_unchanged(student)
    leaf = case.randn(2, 3, dtype=torch.float64, requires_grad=True)
    expect.equal(student.layout(leaf.mT), ([2, 1], True, True), what="a leaf")
    expect.close(student.scale(leaf.mT, 3.0), leaf.mT * 3.0, what="of a leaf")
    ok = torch.autograd.gradcheck(lambda t: student.scale(t.mT), (leaf,))
    expect.true(ok, what="gradcheck")
    expect.inputs_unchanged(student)


@pytest.mark.points(20)
@pytest.mark.numeric
def check_gradcheck_of_a_function(student, case):
    """gradcheck passes through the boundary on a function."""
    x = case.randn(2, 3, dtype=torch.float64, requires_grad=True)
    ok = torch.autograd.gradcheck(lambda t: student.scale(t, factor=3.0), (x,))
    expect.true(ok, what="gradcheck")


@pytest.mark.points(20)
@pytest.mark.numeric
def check_gradcheck_of_a_module(student, case):
    """gradcheck passes on a module, whose own gradients add up."""
    scaler = student.Scaler(3)
    weight = case.randn(3, 3, dtype=torch.float64)
    scaler.double()
    scaler.load_state_dict({"layer.weight": weight})
    x = case.randn(2, 3, dtype=torch.float64, requires_grad=True)
    expect.true(torch.autograd.gradcheck(scaler, (x,)), what="gradcheck")
    scaler.zero_grad()
    expect.true(scaler.grads()["layer.weight"] is None, what="no gradient yet")
    for _ in range(2):
        scaler(x).sum().backward()
    mine = weight.clone().requires_grad_()
    (2 * torch.tanh(x.detach() @ mine.t()).sum()).backward()
    expect.close(scaler.grads()["layer.weight"], mine.grad, what="weight gradient")
    expect.close(scaler.state_dict()["layer.weight"], weight, what="weight")
    expect.equal(scaler.module_names(), ["Scaler", "Linear"], what="module tree")


@pytest.mark.points(10)
def check_objects_judge_nothing(student):
    """An object of the submission has no truth value and no comparison."""
    scaler = student.Scaler(2)
    for question in (bool, len, float, lambda o: o == 1, lambda o: o < 1, iter):
        with pytest.raises(TypeError, match="answers calls only"):
            question(scaler)


@pytest.mark.points(10)
@pytest.mark.numeric
def check_worker_has_libraries(student, worker, case):
    """The worker's own libraries give objects that a function can use."""
    linear = worker.torch.nn.Linear(3, 2, bias=False)
    x = case.randn(4, 3)
    expect.close(
        linear(x), x @ linear.state_dict()["weight"].t(), what="a layer's output"
    )
    with torch.no_grad():
        expect.true(not student.scale(x).requires_grad, what="no graph")
    y = case.randn(2, requires_grad=True)
    expect.true(student.scale(y).requires_grad, what="a graph")
    expect.inputs_unchanged(student)
