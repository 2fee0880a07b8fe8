"""What an edition holds: typed structs, one for each thing that may be shown.

A page or a terminal sees these and nothing else, so a field that is not named
here cannot be shown by accident. All text in them is clean already.
"""

from __future__ import annotations

from decimal import Decimal

import msgspec

from grader.lang import _
from grader.results import Figure, Outcome


class TableView(msgspec.Struct, frozen=True):
    """A small tensor, cleaned. See ``results.Table`` for the fields."""

    name: str
    rows: list[list[float | None]]
    shape: list[int]
    dtype: str = ""
    masked: list[list[bool]] | None = None
    sums: list[float] | None = None
    highlight: int | None = None


class CheckView(msgspec.Struct, frozen=True, kw_only=True):
    """A check of which only the verdict may be told."""

    title: str
    public: bool
    outcome: Outcome
    points: Decimal
    max_points: Decimal

    @property
    def passed(self) -> bool:
        """Whether the check passed."""
        return self.outcome is Outcome.PASSED


class ExampleView(msgspec.Struct, frozen=True, kw_only=True):
    """The smallest case that still fails. See ``results.Example``."""

    call: str
    inputs: list[TableView]
    tables: list[TableView]
    what: str = ""
    expected: str = ""
    got: str = ""
    influence: list[Figure] = msgspec.field(default_factory=list)


class HintedView(CheckView, frozen=True, kw_only=True):
    """A hidden check as its student sees it: nothing that was put in or came out."""

    hint: str = ""
    mistake: str = ""
    one_of: list[str] = msgspec.field(default_factory=list)
    line: int | None = None
    exception: str = ""
    stage: str = ""  # how far the answer came, see ``results.CheckResult``
    example: ExampleView | None = None

    @property
    def where(self) -> str:
        """The student's own line and the type of what was raised there."""
        line = ""
        if self.line is not None:
            line = _("at your line {line}", line=self.line)
        return f"{self.exception} {line}".strip()


class FullView(HintedView, frozen=True, kw_only=True):
    """A public check, or any check in the TA's edition."""

    id: str = ""
    message: str = ""
    expected: str = ""
    got: str = ""
    trace: str = ""
    output: str = ""
    inputs: list[TableView] = msgspec.field(default_factory=list)
    tables: list[TableView] = msgspec.field(default_factory=list)
    wall_s: float | None = None
    said: bool = False  # the message names the line already

    @property
    def where(self) -> str:
        """The line, unless the message says it; what was raised stands in got."""
        if self.line is None or self.said:
            return ""
        return _("at your line {line}", line=self.line)


class ExerciseView(msgspec.Struct, frozen=True, kw_only=True):
    """One exercise with its checks in suite order."""

    name: str
    title: str
    section: str
    status: str
    score: Decimal
    max_score: Decimal
    checks: list[CheckView]
    warnings: list[str]
    source: str = ""
    sha256: str = ""
    kind: str = "code"  # "code" | "lab" | "quiz"
    figures: list[Figure] = msgspec.field(default_factory=list)
    comparisons: list[Figure] = msgspec.field(default_factory=list)

    @property
    def only_form(self) -> bool:
        """A quiz of which only is known what is answered, not what is right."""
        return self.kind == "quiz" and not self.max_score

    @property
    def begun(self) -> bool:
        """Whether there is anything to look at."""
        return self.status not in ("missing", "not_written")

    @property
    def not_handed_in(self) -> bool:
        """Whether one line says all: no file, and nothing was guessed about it."""
        return self.status == "missing" and not self.warnings

    @property
    def absence(self) -> str:
        """Why there is nothing to look at, in one sentence."""
        if self.status != "missing":
            if self.kind == "quiz":
                return _("Nothing is answered here yet.")
            return _("Nothing is written here yet, so there is nothing to check.")
        told = {c.message for c in self.checks if isinstance(c, FullView)} - {""}
        told -= set(self.warnings)
        return min(told) if told else _("There is no file that can be checked.")

    def count(self, public: bool) -> tuple[int, int]:
        """(passed, all) of the public or of the hidden checks."""
        chosen = [c for c in self.checks if c.public is public]
        return sum(c.passed for c in chosen), len(chosen)


class ChapterView(msgspec.Struct, frozen=True, kw_only=True):
    """Exercises of one chapter, in course order."""

    title: str
    exercises: list[ExerciseView]

    @property
    def handed_in(self) -> list[ExerciseView]:
        """Those of which there is more to say than that there is no file."""
        return [e for e in self.exercises if not e.not_handed_in]


class Edition(msgspec.Struct, frozen=True, kw_only=True):
    """All that one reader may see of one submission."""

    kind: str  # "student" | "ta"
    course: str
    course_version: str
    submission: str
    name: str = ""
    status: str = "graded"
    score: Decimal | None = None
    max_score: Decimal
    raw_score: Decimal | None = None
    late: dict[str, str]
    chapters: list[ChapterView]
    versions: dict[str, str]
    message: str = ""
    warnings: list[str] = msgspec.field(default_factory=list)
    # The TA's alone from here on.
    seed: str = ""
    isolation: str = ""
    bundle: str = ""
    wall_s: float | None = None
    cpu_s: float | None = None
    identical: list[str] = msgspec.field(default_factory=list)

    @property
    def exercises(self) -> list[ExerciseView]:
        """Every exercise, in course order."""
        return [e for chapter in self.chapters for e in chapter.exercises]

    @property
    def not_handed_in(self) -> list[ExerciseView]:
        """Exercises without a file, in course order."""
        return [e for e in self.exercises if e.not_handed_in]

    def count(self, public: bool) -> tuple[int, int]:
        """(passed, all) of the public or of the hidden checks; no quiz questions."""
        pairs = [e.count(public) for e in self.exercises if e.kind != "quiz"]
        return sum(p for p, _ in pairs), sum(n for _, n in pairs)
