"""What comes of one exercise of a submission, and what was seen on the way."""

from __future__ import annotations

from dataclasses import dataclass, field

from grader.results import ExerciseResult
from grader.session.journal import Call


@dataclass
class Graded:
    """An exercise's result with what was journalled on the way."""

    result: ExerciseResult
    calls: dict[str, list[Call]] = field(default_factory=dict)
    signatures: dict[str, str] = field(default_factory=dict)
    cpu_s: float = 0.0
    examples: int = 0
