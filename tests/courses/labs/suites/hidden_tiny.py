"""Hidden suite of tiny: what was trained before, judged more strictly."""

import pytest

from grader.session import expect

pytestmark = pytest.mark.exercise("tiny")


@pytest.mark.points(30)
@pytest.mark.numeric
@pytest.mark.after("fits_roughly")
def check_fits_well(lab):
    """The number is 3 to within 0.3."""
    expect.true(lab.kept("error") < 0.3, what="distance")


@pytest.mark.points(20)
@pytest.mark.numeric
@pytest.mark.after("fits_well")
def check_fits(lab):
    """The number is 3 to within 0.05."""
    expect.true(lab.kept("error") < 0.05, what="distance")
