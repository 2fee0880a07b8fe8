import pytest
from handins import ASKS, EXERCISES

from grader.intake import read


@pytest.fixture
def take():
    """Read paths with the five core exercises; returns the whole intake."""

    def take(*paths, **options):
        return read(list(paths), EXERCISES, asks=ASKS, **options)

    return take


@pytest.fixture
def only(take):
    """Like ``take`` for what must be one submission; returns it."""

    def only(*paths, **options):
        intake = take(*paths, **options)
        assert [s.id for s in intake.submissions] == [intake.submissions[0].id]
        return intake.submissions[0]

    return only
