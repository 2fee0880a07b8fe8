"""Suite of double; its last check is wrong until somebody mends it."""

import pytest

from grader.session import expect

pytestmark = pytest.mark.exercise("double")


@pytest.mark.points(40)
@pytest.mark.numeric
def check_two(student):
    """Twice 2 is 4."""
    expect.equal(student.double(2), 4, what="double(2)")


@pytest.mark.points(40)
@pytest.mark.numeric
def check_minus(student):
    """Twice -3 is -6."""
    expect.equal(student.double(-3), -6, what="double(-3)")


@pytest.mark.points(20)
@pytest.mark.numeric
def check_half(student):
    """Twice a half is 1."""
    expect.equal(student.double(0.5), 2.0, what="double(0.5)")
