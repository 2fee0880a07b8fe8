"""Suite for update: properties and small tables, never the student's source."""

import numpy as np
import pytest

from grader.session import expect_arrays as expect

pytestmark = pytest.mark.exercise("update")
EMPTY = "What is the mean of no points? Which row should stay as it is?"
POINTS = np.array([[0.0, 2.0], [4.0, 6.0], [9.0, 9.0]])
CENTRES = np.array([[1.0, 1.0], [5.0, 5.0]])


@pytest.mark.points(20)
@pytest.mark.numeric
def check_means_of_three_points(student):
    """Three points move two centres to the means worked out by hand."""
    found = student.means(POINTS, np.array([0, 0, 1]), CENTRES)
    expect.close(found, [[2.0, 4.0], [9.0, 9.0]], what="centres")


@pytest.mark.points(15)
@pytest.mark.numeric
def check_centre_without_points_stays(student):
    """A centre without points stays where it is."""
    found = student.means(POINTS, np.array([1, 1, 1]), CENTRES)
    expect.finite(found, what="centres", hint=EMPTY)
    expect.close(found, [[1.0, 1.0], [13 / 3, 17 / 3]], what="centres", hint=EMPTY)


@pytest.mark.points(10)
@pytest.mark.property
def check_inputs_stay(student):
    """Points, labels and old centres are left as they were given."""
    found = student.means(POINTS, np.array([0, 1, 1]), CENTRES)
    expect.array(found, (2, 2), kind="f", what="centres")
    expect.inputs_unchanged(student)
