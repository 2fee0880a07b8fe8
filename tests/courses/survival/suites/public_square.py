"""Suite of square: what a student sees."""

import numpy as np
import pytest

from grader.session import expect_arrays as expect

pytestmark = pytest.mark.exercise("square")


@pytest.mark.points(45)
@pytest.mark.numeric
def check_known_numbers(student):
    """The squares of 1, -2 and 3 are 1, 4 and 9."""
    found = student.square(np.array([1.0, -2.0, 3.0]))
    expect.close(found, np.array([1.0, 4.0, 9.0]), what="squares")
