"""Grade one file, and what of it fails."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from grader.results import ExerciseResult, Outcome
from grader.submission import as_submission

if TYPE_CHECKING:
    from grader.session.grade import Grader


def run(grader: Grader, path: Path, name: str) -> ExerciseResult:
    """The result of the file at ``path`` on exercise ``name``."""
    return grader.grade_exercise(as_submission(path, name), name).result


def failing(result: ExerciseResult) -> list[str]:
    """The checks that do not pass."""
    return [c.id for c in result.checks if c.outcome is not Outcome.PASSED]
