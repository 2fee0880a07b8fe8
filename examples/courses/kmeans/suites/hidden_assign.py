"""Hidden suite for assign: drawn sizes, the solution's numbers."""

import numpy as np
import pytest

from grader.session import expect_arrays as expect

pytestmark = pytest.mark.exercise("assign")


@pytest.mark.points(30)
@pytest.mark.numeric
def check_distances_of_drawn_points(student, case, reference):
    """Squared distances of drawn points are right for every size."""
    for _ in range(2):
        N, K, D = case.sizes(N=(5, 9), K=(2, 4), D=(2, 6))
        points, centres = case.randn(N, D), case.randn(K, D)
        found = student.squared_distances(points, centres)
        wanted = reference.squared_distances(points, centres)
        expect.close(found, wanted, what="squared distances")


@pytest.mark.points(25)
@pytest.mark.numeric
def check_labels_of_drawn_points(student, case, reference):
    """Drawn points get the number of their nearest centre."""
    N, K, D = case.sizes(N=(12, 16), K=(3, 5), D=(2, 8))
    points, centres = case.randn(N, D), case.randn(K, D) * np.linspace(1, 3, K)[:, None]
    found = student.nearest(points, centres)
    wanted = reference.nearest(points, centres)
    expect.array(found, (N,), kind="iu", what="labels")
    expect.equal(found.tolist(), wanted.tolist(), what="labels")
