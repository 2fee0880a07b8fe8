"""Suite of plain: numbers only, so that torch is not even needed."""

import pytest

from grader.session import expect

pytestmark = pytest.mark.exercise("plain")


@pytest.mark.points(40)
@pytest.mark.numeric
def check_doubles_two(student):
    """Twice 2 is 4."""
    expect.equal(student.double(2), 4, what="double(2)")


@pytest.mark.points(30)
@pytest.mark.numeric
@pytest.mark.hint("What is twice a half?")
def check_doubles_a_half(student):
    """Twice a half is 1."""
    expect.close(student.double(0.5), 1.0, what="double(0.5)")


@pytest.mark.points(10)
@pytest.mark.property
def check_same_answer_twice(student):
    """The same question has the same answer."""
    expect.equal(student.double(3), student.double(3), what="double(3) twice")


@pytest.mark.points(20)
@pytest.mark.numeric
def check_unpacks_the_answer(student):
    """Twice a list is the list twice."""
    first, second = student.double([7])
    expect.equal([first, second], [7, 7], what="double([7])")
