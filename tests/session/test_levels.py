"""Right answers are right at every level of isolation, however they are written."""

import pytest

from grader.course import Course
from grader.isolation.ladder import LEVELS
from grader.isolation.probe import probe
from grader.session.start import Session
from grader.submission import as_submission

# Labs train for minutes in all, with no more than what the others use.
KINDS = {"code"}


def available():
    """The levels that this host gives, the simulated ones below its own included."""
    best = LEVELS.index(probe().level)
    return [level for level in LEVELS[best:] if level != "none"]


def right_answers(course: Course):
    """(exercise, file) of every solution and variant."""
    for name, exercise in course.exercises.items():
        if exercise.kind in KINDS:
            yield name, course.folder("solutions") / f"{name}.py"
            for path in sorted((course.folder("variants") / name).glob("*.py")):
                yield name, path


@pytest.mark.slow
@pytest.mark.parametrize("level", available() or ["none"])
def test_right_answers_get_full_points(course, level):
    """All of them at the best level; each below it takes every second one."""
    lost, place = [], available().index(level) if level in available() else 0
    answers = list(right_answers(course))
    answers = answers[place % 2 :: 2] if place else answers

    def work(grader):
        # What the references take is no question here.
        grader.use("levels", limits={})
        for name, path in answers:
            if level == "minimal" and "import matplotlib" in path.read_text("utf-8"):
                continue  # it opens its fonts late: docs/isolation.md
            result = grader.grade(as_submission(path, name), [name])
            if result.score != result.max_score:
                failed = [c for c in result.exercises[name].checks if not c.points]
                lost.append((name, path.stem, failed[0].message, failed[0].got))

    names = [e.name for e in course.exercises.values() if e.kind in KINDS]
    with Session(course, names, level) as session:
        session.run(work)
    assert lost == []
