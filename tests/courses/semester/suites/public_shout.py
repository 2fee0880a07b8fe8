"""Suite of shout."""

import pytest

from grader.session import expect

pytestmark = pytest.mark.exercise("shout")


@pytest.mark.points(60)
@pytest.mark.numeric
def check_capitals(student):
    """All letters are capitals."""
    expect.equal(student.shout("ab")[:2], "AB", what='shout("ab")[:2]')


@pytest.mark.points(40)
@pytest.mark.numeric
def check_mark(student):
    """It ends in one mark."""
    expect.equal(student.shout("a"), "A!", what='shout("a")')
