"""Suite for assign: properties and small tables, never the student's source."""

import numpy as np
import pytest

from grader.session import expect_arrays as expect

pytestmark = pytest.mark.exercise("assign")
ROOT = "Is it the distance or its square that is asked for?"
POINTS = np.array([[0.0, 0.0], [3.0, 4.0], [6.0, 8.0]])
CENTRES = np.array([[0.0, 0.0], [6.0, 0.0]])


@pytest.mark.points(20)
@pytest.mark.numeric
def check_table_of_distances(student):
    """A small table of squared distances comes out as worked out by hand."""
    found = student.squared_distances(POINTS, CENTRES)
    wanted = [[0.0, 36.0], [25.0, 25.0], [100.0, 64.0]]
    expect.close(found, wanted, what="squared distances", hint=ROOT)


@pytest.mark.points(15)
@pytest.mark.numeric
def check_lowest_number_wins_a_tie(student):
    """Of two equally near centres the one with the lower number is taken."""
    found = student.nearest(POINTS, CENTRES)
    expect.array(found, (3,), kind="iu", what="labels")
    expect.equal(found.tolist(), [0, 0, 1], what="labels")


@pytest.mark.points(10)
@pytest.mark.property
def check_inputs_stay(student, case):
    """Points and centres are left as they were given."""
    N, K, D = case.sizes(N=(4, 7), K=(2, 3), D=(2, 5))
    points, centres = case.randn(N, D), case.randn(K, D)
    found = student.squared_distances(points, centres)
    expect.array(found, (N, K), kind="f", what="squared distances")
    expect.inputs_unchanged(student)
