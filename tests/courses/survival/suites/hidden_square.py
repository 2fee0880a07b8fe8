"""Suite of square: what decides."""

import pytest

from grader.session import expect_arrays as expect

pytestmark = pytest.mark.exercise("square")


@pytest.mark.points(35)
@pytest.mark.numeric
def check_drawn_numbers(student, case, reference):
    """Numbers of any shape are squared, and every call anew."""
    rows, columns = case.sizes(R=(4, 6), C=(7, 9))
    for _ in range(2):
        x = case.randn(rows, columns)
        expect.close(student.square(x), reference.square(x), what="squares")


@pytest.mark.points(20)
@pytest.mark.property
def check_leaves_its_input(student, case):
    """The input is left as it was."""
    student.square(case.randn(6))
    expect.inputs_unchanged(student)
