import pytest

from grader.gradebook import Gradebook


@pytest.fixture
def path(tmp_path):
    return tmp_path / "gradebook.sqlite"


@pytest.fixture
def book(path):
    with Gradebook.open(path) as opened:
        yield opened


@pytest.fixture
def run(book):
    return book.begin_run(["grade", "hand-ins"])
