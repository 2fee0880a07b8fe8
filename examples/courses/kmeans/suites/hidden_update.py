"""Hidden suite for update: drawn sizes, the solution's numbers."""

import pytest

from grader.session import expect_arrays as expect

pytestmark = pytest.mark.exercise("update")


@pytest.mark.points(35)
@pytest.mark.numeric
def check_means_of_drawn_points(student, case, reference):
    """Means of drawn points are right for every size."""
    for _ in range(2):
        N, K, D = case.sizes(N=(8, 12), K=(2, 4), D=(5, 7))
        points, centres = case.randn(N, D), case.randn(K, D)
        labels = case.randint(0, K, N)
        wanted = reference.means(points, labels, centres)
        expect.close(student.means(points, labels, centres), wanted, what="centres")


@pytest.mark.points(20)
@pytest.mark.numeric
def check_two_empty_centres_stay(student, case, reference):
    """Two centres without points stay, the others move."""
    N, D = case.sizes(N=(6, 9), D=(2, 4))
    points, centres = case.randn(N, D), case.randn(5, D)
    labels = case.randint(0, 3, N) + 1
    wanted = reference.means(points, labels, centres)
    expect.close(student.means(points, labels, centres), wanted, what="centres")
