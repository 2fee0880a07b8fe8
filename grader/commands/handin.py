"""``handin``: check names, run the public checks, write the zip and its receipt."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from grader.commands import check
from grader.course import Course, load_course
from grader.lang import _, sentence
from grader.release.handin import receipt_words, write
from grader.session.start import Session

if TYPE_CHECKING:
    from grader.results import SubmissionResult
    from grader.submission import Submission


def run(root: Path, options: check.Options, out: Path | None) -> int:
    """0 when the zip is written, whatever the checks say: handing in is allowed."""
    course = load_course(root)
    submission, result = _checked(course, options)
    target = out or course.root / f"{course.name}-handin.zip"
    receipt = write(course, submission, _public(result), target)
    if options.json:
        facts = {"path": str(target), "receipt": msgspec.to_builtins(receipt)}
        sys.stdout.buffer.write(msgspec.json.encode(facts) + b"\n")
        return 0
    for warning in submission.warnings:
        print(_("note:"), sentence(warning))
    for words, names in _lacking(result).items():
        said = _("It can be handed in like this.")
        print(_("note:"), f"{words}: {', '.join(names)}. {said}")
    print("\n".join(receipt_words(target, receipt)))
    return 0


def _checked(
    course: Course, options: check.Options
) -> tuple[Submission, SubmissionResult]:
    """The own hand-in, and what the public checks say of it."""
    names = [e.name for e in course.select(None)]
    found: list[SubmissionResult] = []
    with Session(course, names, "none", True, options.fresh) as session:
        submission = check.read_own(course, options)
        session.run(lambda grader: found.append(grader.grade(submission, names)))
    return submission, found[0]


def _lacking(result: SubmissionResult) -> dict[str, list[str]]:
    """Names of exercises without a file, and of those with nothing in it."""
    found: dict[str, list[str]] = {}
    words = {"missing": _("no file"), "not_written": _("not written yet")}
    for name, exercise in result.exercises.items():
        if exercise.status in words:
            found.setdefault(words[exercise.status], []).append(name)
    return found


def _public(result: SubmissionResult) -> str:
    checks = [c for e in result.exercises.values() for c in e.checks if c.public]
    passed = sum(c.outcome.value == "passed" for c in checks)
    return f"{passed} of {len(checks)}"
