"""Builders of submissions, results and small courses for tests."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

from grader.course import Course, load_course
from grader.results import (
    CheckResult,
    ExerciseResult,
    Outcome,
    SubmissionResult,
    exercise_status,
)
from grader.submission import Source, Submission

SECRET = "hidden input 3.14159"  # what no student's edition may show


def source(exercise: str, text: str) -> Source:
    return Source(
        exercise=exercise, path=f"{exercise}.py", data=text.encode(), text=text
    )


def submission(id: str, files: dict[str, str] | None = None, **fields) -> Submission:
    """A submission whose files hold ``files``; one unique file by default."""
    texts = {"add": f"# {id}\n"} if files is None else files
    sources = {name: source(name, text) for name, text in texts.items()}
    return Submission(id=id, files=sources, **fields)


def check(
    id: str = "adds",
    points: str = "6",
    outcome: Outcome = Outcome.PASSED,
    **fields,
) -> CheckResult:
    got = Decimal(points) if outcome is Outcome.PASSED else Decimal(0)
    return CheckResult(
        id=id,
        title=fields.pop("title", f"Property {id} holds."),
        public=fields.pop("public", True),
        points=got,
        max_points=Decimal(points),
        outcome=outcome,
        **fields,
    )


def exercise(
    key: str = "k1", checks: list[CheckResult] | None = None
) -> ExerciseResult:
    checks = checks or [check(), check("commutes", "4", public=False)]
    return ExerciseResult(
        key=key,
        score=sum((c.points for c in checks), Decimal(0)),
        max_score=sum((c.max_points for c in checks), Decimal(0)),
        status=exercise_status(checks),
        checks=checks,
    )


def result(
    id: str, exercises=None, status: str = "graded", **fields
) -> SubmissionResult:
    exercises = {"add": exercise()} if exercises is None else exercises
    scores = [e.score for e in exercises.values()]
    graded = status == "graded"
    return SubmissionResult(
        submission=id,
        status=status,
        score=fields.pop("score", sum(scores, Decimal(0)) if graded else None),
        max_score=fields.pop("max_score", Decimal(10)),
        exercises=exercises,
        **fields,
    )


COURSE = """
schema = 1
name = "tiny"
title = "A tiny course"
version = "1.2"
libraries = ["msgspec"]

[folders]
suites = "suites"
mistakes = "mistakes"

[[chapters]]
id = "one"
title = "One"
"""
EXERCISE = """
[[exercises]]
name = "{name}"
chapter = "one"
title = "{name}"
section = "1"
points = "10"
asks = ["{name}"]
"""


def tiny_course(root: Path, names: tuple[str, ...] = ("add", "mul")) -> Course:
    """A course on disk with one public and one hidden suite for each exercise."""
    text = COURSE + "".join(EXERCISE.format(name=name) for name in names)
    for folder in ("suites", "solutions", "mistakes"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    (root / "course.toml").write_text(text, encoding="utf-8")
    for name in names:
        (root / "solutions" / f"{name}.py").write_text(f"# solution of {name}\n")
        for kind in ("public", "hidden"):
            (root / "suites" / f"{kind}_{name}.py").write_text(f"# {kind} {name}\n")
    return load_course(root)
