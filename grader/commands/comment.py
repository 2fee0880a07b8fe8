"""``comment``: a sentence from the staff into a student's report."""

from __future__ import annotations

from dataclasses import dataclass

from grader.course import Course
from grader.errors import UsageError
from grader.gradebook import Gradebook, New
from grader.semester import lookup
from grader.semester.deciding import Common, decide

MOST = 2000


@dataclass
class Options(Common):
    """What was asked for."""

    submission: str = ""
    exercise: str = ""
    text: str = ""


def run(options: Options) -> int:
    """0 when it is logged."""

    def make(course: Course, book: Gradebook) -> New:
        text = " ".join(options.text.split())
        if not text or len(text) > MOST:
            raise UsageError(f"a comment has 1 to {MOST} characters.")
        result = lookup.submission(book, options.submission)
        name = lookup.exercise(course, result, options.exercise)
        _names_nobody(text, options.submission, book)
        return New("comment", "comment", {"text": text}, options.submission, name)

    return decide(options, make)


def _names_nobody(text: str, who: str, book: Gradebook) -> None:
    """A student's report must name no other student.

    Raises:
        UsageError: the text has the name or address of somebody else.
    """
    for other, person in book.people().items():
        if other == who:
            continue
        said = [t for t in (person.name, person.email) if len(t) > 3 and t in text]
        if said:
            raise UsageError(
                f"the comment names {said[0]}, who is somebody else; students read it."
            )
