"""Suite of square: what decides."""

import pytest

from grader.session import expect

pytestmark = pytest.mark.exercise("square")


@pytest.mark.points(25)
@pytest.mark.numeric
def check_drawn_numbers(student, case, reference):
    """Numbers of any shape are squared, and every call anew."""
    rows, columns = case.sizes(R=(4, 6), C=(7, 9))
    for _ in range(2):
        x = case.randn(rows, columns)
        expect.close(student.square(x), reference.square(x), what="squares")


@pytest.mark.points(20)
@pytest.mark.numeric
def check_gradient(student, case):
    """The gradient is twice the number."""
    x = case.randn(4, 5, requires_grad=True)
    upstream = case.randn(4, 5)
    (student.square(x) * upstream).sum().backward()
    expect.close(x.grad, 2 * x.detach() * upstream, what="gradient")


@pytest.mark.points(15)
@pytest.mark.property
def check_leaves_its_input(student, case):
    """The input is left as it was."""
    student.square(case.randn(6))
    expect.inputs_unchanged(student)


@pytest.mark.points(10)
@pytest.mark.errors
def check_refuses_text(student, case):
    """Text has no square."""
    x = case.randn(2)
    expect.close(student.square(x), x * x, what="squares")
    with expect.raises(TypeError, what="the square of a text"):
        student.square("text")
