"""One session in this process, for every hand-in that the tests of labs need."""

from __future__ import annotations

from pathlib import Path

import pytest
from tiny_labs import HANDINS, Seen

from grader.course import Course, load_course
from grader.session.grade import Grader
from grader.session.start import Session
from grader.submission import Source, Submission

COURSE = Path(__file__).parents[1] / "courses" / "labs"


@pytest.fixture(scope="package")
def labs() -> Course:
    """The course with one tiny lab."""
    return load_course(COURSE)


@pytest.fixture(scope="package")
def seen(labs: Course) -> dict[str, Seen]:
    """What came of each hand-in, with the notes that were told on the way."""
    found: dict[str, Seen] = {}

    def work(grader: Grader) -> None:
        for name, text in HANDINS.items():
            one = found[name] = Seen()
            grader.on_progress = lambda *note, told=one.told: told.append(note)
            grader.compare = name.startswith("compared")
            source = Source("tiny", "tiny.py", text.encode(), "py", text)
            result = grader.grade(Submission(name, {"tiny": source}), ["tiny"])
            one.result = result
            for check in result.exercises["tiny"].checks:
                one.checks[check.id] = check

    with Session(labs, ["tiny"], "none") as session:
        session.run(work)
    return found
