import pytest
from gradings import SECRET, check, exercise, result, tiny_course

from grader.gradebook import Person
from grader.results import Outcome


@pytest.fixture
def course(tmp_path):
    return tiny_course(tmp_path / "course")


@pytest.fixture
def people():
    return {
        "s1": Person(
            "s1", "Smith, Ann-Lee", "ann@uni.edu", {"canvas": "101", "moodle": "7001"}
        ),
        "s2": Person("s2", "王小明", "wang@uni.edu"),
    }


@pytest.fixture
def failing():
    """A result with one open public and one open hidden check."""
    public = check(
        "adds",
        "6",
        Outcome.FAILED,
        message="<b>wrong</b>",
        expected="1",
        got="2",
        hint="?",
    )
    hidden = check(
        "secret",
        "4",
        Outcome.FAILED,
        public=False,
        message=SECRET,
        expected=SECRET,
        got=SECRET,
    )
    return result("s1", {"add": exercise("k", [public, hidden])}, seed="the seed")
