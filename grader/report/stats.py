"""What a class did, gathered in one pass that keeps little of each result.

Only numbers, ids and titles are kept, so 5,000 results cost some megabytes
however long their traces are.
"""

from __future__ import annotations

import statistics
from collections import Counter
from decimal import Decimal

import msgspec

from grader.course import Course
from grader.report.clean import clean_line
from grader.report.mistakes import MistakeTitles
from grader.results import CheckResult, ExerciseResult, Outcome, SubmissionResult

ALARM_LEAST = 3
ALARM_SHARE = Decimal("0.5")
# Begun, so that a pass rate over them says something about the check.
_COUNTED = ("passed", "partial", "failed")


class CheckStats(msgspec.Struct):
    """How one check went over the class.

    ``alone`` counts submissions that passed everything else in the exercise,
    ``beside`` those that passed the whole exercise, this check included.
    """

    exercise: str
    id: str
    title: str
    public: bool
    tried: int = 0
    passed: int = 0
    alone: int = 0
    beside: int = 0

    @property
    def suspicious(self) -> bool:
        """Whether to look at the check itself before at the submissions."""
        reached = self.alone + self.beside
        return self.alone >= ALARM_LEAST and self.alone >= ALARM_SHARE * reached


class Row(msgspec.Struct, frozen=True):
    """One submission in the class table."""

    id: str
    name: str
    status: str
    score: Decimal | None
    max_score: Decimal
    exercises: dict[str, tuple[Decimal, str]]
    warnings: list[str]
    message: str
    wall_s: float
    trouble: list[str]  # exercises in which a check crashed or timed out
    grader_errors: list[str]  # exercise: title of checks that we broke
    section: str = ""


class ClassStats:
    """Feed it each result once with ``add``; read the rest when done."""

    def __init__(
        self,
        course: Course,
        names: dict[str, str] | None = None,
        sections: dict[str, str] | None = None,
    ) -> None:
        self.course = course
        self.rows: list[Row] = []
        self.checks: dict[tuple[str, str], CheckStats] = {}
        self.mistakes: Counter[tuple[str, str]] = Counter()
        self._names = names or {}
        self._sections = sections or {}
        self._titles = MistakeTitles(course)

    def add(self, result: SubmissionResult) -> None:
        """Count ``result``; nothing large of it is kept."""
        graded = result.status == "graded"
        parts = result.exercises.items()
        name = self._names.get(result.submission, "")
        self.rows.append(
            Row(
                id=result.submission,
                name=clean_line(name, 120) if name != result.submission else "",
                status=result.status,
                score=result.score if graded else None,
                max_score=result.max_score,
                exercises={n: (e.score, e.status) for n, e in parts},
                warnings=_warnings(result),
                message=clean_line(result.message),
                wall_s=result.wall_s,
                trouble=[n for n, e in parts if _died(e)],
                grader_errors=[t for n, e in parts for t in _ours(n, e)],
                section=clean_line(self._sections.get(result.submission, ""), 80),
            )
        )
        if graded:
            for name, exercise in parts:
                self._count(name, exercise)

    def _count(self, name: str, exercise: ExerciseResult) -> None:
        failed = [c for c in exercise.checks if c.outcome is not Outcome.PASSED]
        made = {c.mistake for c in failed if c.mistake}
        for mistake in made:
            self.mistakes[name, clean_line(self._titles.title(name, mistake))] += 1
        if exercise.status not in _COUNTED:
            return
        alone = len(failed) == 1 and len(exercise.checks) > 1
        for check in exercise.checks:
            stats = self._stats(name, check)
            passed = check.outcome is Outcome.PASSED
            stats.tried += 1
            stats.passed += passed
            stats.beside += not failed
            stats.alone += alone and failed[0] is check

    def _stats(self, name: str, check: CheckResult) -> CheckStats:
        key = (name, check.id)
        if key not in self.checks:
            title = clean_line(check.title)
            stats = CheckStats(name, clean_line(check.id, 120), title, check.public)
            self.checks[key] = stats
        return self.checks[key]

    @property
    def alarms(self) -> list[CheckStats]:
        """Checks that many fail who pass everything else, most such first."""
        found = [c for c in self.checks.values() if c.suspicious]
        return sorted(found, key=lambda c: (-c.alone, c.exercise, c.id))

    @property
    def scores(self) -> list[Decimal]:
        """Scores of graded submissions."""
        return [r.score for r in self.rows if r.score is not None]

    @property
    def statuses(self) -> dict[str, int]:
        """How many submissions have each status."""
        return dict(Counter(r.status for r in self.rows))

    @property
    def max_score(self) -> Decimal:
        """The largest maximum: what a whole submission is worth."""
        return max((r.max_score for r in self.rows), default=Decimal(0))

    @property
    def sections(self) -> list[str]:
        """The sections that occur, in order."""
        return sorted({r.section for r in self.rows if r.section})

    def middle(self) -> tuple[Decimal, Decimal] | None:
        """(mean, median) of the scores; None without any."""
        scores = self.scores
        if not scores:
            return None
        return sum(scores, Decimal(0)) / len(scores), statistics.median(scores)

    def exercise_names(self) -> list[str]:
        """Exercises that somebody handed in, in course order; unknown ones last."""
        return self._in_order(self._seen() - self._without_file())

    def nobodys(self) -> list[str]:
        """Exercises that were asked for and that nobody handed in, in that order."""
        return self._in_order(self._without_file())

    def _seen(self) -> set[str]:
        return {name for row in self.rows for name in row.exercises}

    def _without_file(self) -> set[str]:
        parts = (part for row in self.rows for part in row.exercises.items())
        return self._seen() - {name for name, (_, said) in parts if said != "missing"}

    def _in_order(self, names: set[str]) -> list[str]:
        known = [name for name in self.course.exercises if name in names]
        return known + sorted(names - set(known))

    def ordered_checks(self, exercise: str) -> list[CheckStats]:
        """The checks of one exercise, public ones first, else as first seen."""
        mine = [c for c in self.checks.values() if c.exercise == exercise]
        return sorted(mine, key=lambda c: not c.public)

    def slowest(self, most: int = 10) -> list[Row]:
        """The submissions that took longest, slowest first."""
        timed = [r for r in self.rows if r.wall_s > 0]
        return sorted(timed, key=lambda r: (-r.wall_s, r.id))[:most]


def _warnings(result: SubmissionResult) -> list[str]:
    own = [clean_line(w) for w in result.warnings]
    for name, exercise in result.exercises.items():
        own += [clean_line(f"{name}: {w}") for w in exercise.warnings]
    return own[:20]


def _died(exercise: ExerciseResult) -> bool:
    bad = (Outcome.CRASHED, Outcome.TIMEOUT)
    return any(c.outcome in bad for c in exercise.checks)


def _ours(name: str, exercise: ExerciseResult) -> list[str]:
    ours = [c for c in exercise.checks if c.outcome is Outcome.GRADER_ERROR]
    return [clean_line(f"{name}: {c.title}") for c in ours]
