"""Suite of tiny: one cheap check, one training for three, one comparison."""

import pytest
import torch

from grader.results import Curve
from grader.session import expect

pytestmark = pytest.mark.exercise("tiny")


@pytest.mark.points(20)
@pytest.mark.numeric
def check_doubles(student):
    """Twice 3 is 6."""
    expect.equal(student.double(3), 6)


@pytest.mark.points(30)
@pytest.mark.numeric
@pytest.mark.budget(2, wall_s=20)
@pytest.mark.after("doubles")
def check_fits_roughly(student, lab):
    """The number is 3 to within 1."""

    def attempt(number):
        report = lab.reporter(f"try {number + 1}", done=100, most=999)
        value = student.fit(8, report)
        return abs(value - 3), value

    error, value = lab.best_of(attempt, enough=0.05)

    lab.keep("error", error)
    lab.curves("Way to 3", [Curve("told", [1.0], [value], told=True)], level=3.0)
    lab.heat_map("Where it is", torch.eye(3), rows="from", columns="to")
    expect.true(error < 1, what="distance", got=f"{error:.2f}")


@pytest.mark.shown
@pytest.mark.budget(2)
@pytest.mark.after("fits_roughly")
def check_lengths_compared(student, lab):
    """Few steps against many."""
    lab.same_draws()
    values = [student.fit(n, lab.reporter("few and many")) for n in (1, 9)]
    lab.curves("Few and many", [Curve("value", [1.0, 9.0], values)])
