"""Suite of square: what a student sees."""

import pytest
import torch

from grader.session import expect

pytestmark = pytest.mark.exercise("square")


@pytest.mark.points(30)
@pytest.mark.numeric
def check_known_numbers(student):
    """The squares of 1, -2 and 3 are 1, 4 and 9."""
    answer = student.square(torch.tensor([1.0, -2.0, 3.0]))
    expect.close(answer, torch.tensor([1.0, 4.0, 9.0]), what="squares")
