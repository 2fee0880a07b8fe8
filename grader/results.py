"""What grading produces: outcomes, check results, submission results, JSON.

Points are exact decimals in memory and decimal strings on disk. The fields of
one line of ``results.jsonl`` are those of ``SubmissionResult``.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import msgspec

SCHEMA = 1


class Outcome(enum.StrEnum):
    """How one check ended; the owner of each is given by ``owner``."""

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    TIMEOUT = "timeout"
    CRASHED = "crashed"
    NOT_WRITTEN = "not_written"
    NOT_RUN = "not_run"
    GRADER_ERROR = "grader_error"

    @property
    def owner(self) -> str:
        """``"student"``, ``"grader"`` or ``"nobody"`` (passed)."""
        if self is Outcome.PASSED:
            return "nobody"
        if self in (Outcome.GRADER_ERROR,):
            return "grader"
        return "student"


class Table(msgspec.Struct, omit_defaults=True):
    """A small tensor as a report shows it, with what deserves a look.

    ``rows`` holds at most 12 x 12 numbers (None stands for a cut), ``shape``
    the true shape. ``masked`` marks cells that the mask removes, ``sums`` are
    row sums where they say something, ``highlight`` the row that breaks the
    property.
    """

    name: str
    rows: list[list[float | None]]
    shape: list[int]
    dtype: str = ""
    masked: list[list[bool]] | None = None
    sums: list[float] | None = None
    highlight: int | None = None


class Curve(msgspec.Struct, omit_defaults=True):
    """One line of a figure; None stands for a number that is not finite.

    ``told``: the numbers are what student code reported, not what we measured.
    """

    name: str
    x: list[float]
    y: list[float | None]
    told: bool = False


class HeatMap(msgspec.Struct, omit_defaults=True):
    """A matrix of numbers from 0 to 1, at most 24 x 24.

    ``masked`` marks cells that a mask removes, or that are padding.
    """

    rows: list[list[float | None]]
    masked: list[list[bool]] | None = None


class Figure(msgspec.Struct, omit_defaults=True):
    """What a report draws of a lab: curves, or a heat map.

    ``x`` and ``y`` are the words at the axes (columns and rows of a heat map),
    ``level`` a horizontal line to compare curves with.
    """

    title: str
    x: str
    y: str
    curves: list[Curve] = msgspec.field(default_factory=list)
    heat_map: HeatMap | None = None
    level: float | None = None


class Example(msgspec.Struct, omit_defaults=True):
    """The smallest case of a failing check that still fails, in numbers.

    ``call`` is the call as one would write it, ``what``, ``expected`` and
    ``got`` are as in the check; of a hidden check nothing in it is the hidden
    input, and ``expected`` holds rules only.
    """

    call: str
    inputs: list[Table] = msgspec.field(default_factory=list)
    tables: list[Table] = msgspec.field(default_factory=list)
    what: str = ""
    expected: str = ""
    got: str = ""
    figures: list[Figure] = msgspec.field(default_factory=list)


class CheckResult(msgspec.Struct, omit_defaults=False):
    """One check of one submission."""

    id: str
    title: str
    public: bool
    points: Decimal
    max_points: Decimal
    outcome: Outcome
    message: str = ""
    expected: str = ""
    got: str = ""
    hint: str = ""
    mistake: str | None = None
    # Named mistakes that behave alike in everything that was asked: one of these.
    one_of: list[str] = msgspec.field(default_factory=list)
    trace: str = ""
    output: str = ""
    wall_s: float = 0.0
    # Beyond the fixed fields: what a report draws. ``inputs`` are the drawn
    # inputs of the case (public checks and TAs only), ``tables`` what came out.
    inputs: list[Table] = msgspec.field(default_factory=list)
    tables: list[Table] = msgspec.field(default_factory=list)
    line: int | None = None
    cpu_s: float = 0.0
    figures: list[Figure] = msgspec.field(default_factory=list)
    # How far the answer came: "import", "name", "call", "undefined", "raised",
    # "return", "kind", "shape", "dtype", "number"; "" where nothing is known.
    stage: str = ""
    example: Example | None = None


class ExerciseResult(msgspec.Struct):
    """All checks of one exercise of one submission.

    ``status``: passed, partial, failed, missing (no file), not_written.
    ``comparisons`` are figures of a lab that nobody is judged by.
    """

    key: str
    score: Decimal
    max_score: Decimal
    status: str
    checks: list[CheckResult]
    warnings: list[str] = msgspec.field(default_factory=list)
    source: str = ""
    sha256: str = ""  # of the file as handed in
    comparisons: list[Figure] = msgspec.field(default_factory=list)


class SubmissionResult(msgspec.Struct):
    """One line of results.jsonl; see ``Interfaces`` in docs/how-it-works."""

    submission: str
    status: str  # graded | grader_error | unreadable | missing
    score: Decimal | None
    max_score: Decimal
    raw_score: Decimal | None = None
    late: dict[str, Any] | None = None
    seed: str = ""
    isolation: str = "none"
    versions: dict[str, str] = msgspec.field(default_factory=dict)
    bundle: str | None = None
    wall_s: float = 0.0
    cpu_s: float = 0.0
    exercises: dict[str, ExerciseResult] = msgspec.field(default_factory=dict)
    warnings: list[str] = msgspec.field(default_factory=list)
    message: str = ""
    schema: int = SCHEMA


_encoder = msgspec.json.Encoder(decimal_format="string")
_decoder = msgspec.json.Decoder(SubmissionResult)


def to_json(result: SubmissionResult) -> bytes:
    """One line of JSON, without its line end."""
    return _encoder.encode(result)


def from_json(data: bytes | str) -> SubmissionResult:
    """The inverse of ``to_json``.

    Raises:
        msgspec.ValidationError: the line is not a result of this schema.
    """
    return _decoder.decode(data)


def exercise_status(checks: Iterable[CheckResult]) -> str:
    """passed, partial, failed or not_written, from the outcomes alone."""
    checks = list(checks)
    outcomes = [c.outcome for c in checks]
    if outcomes and all(o is Outcome.PASSED for o in outcomes):
        return "passed"
    if outcomes and all(o is Outcome.NOT_WRITTEN for o in outcomes):
        return "not_written"
    return "partial" if any(c.points > 0 for c in checks) else "failed"


def round_points(value: Decimal) -> Decimal:
    """Points as people see them: two decimals, half up, no trailing zeros."""
    quantized = value.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)
    normalized = quantized.normalize()
    exponent = normalized.as_tuple().exponent
    if isinstance(exponent, int) and exponent > 0:
        return normalized.quantize(Decimal(1))
    return normalized


def has_grader_fault(result: SubmissionResult) -> bool:
    """True when one check failed through our fault."""
    return any(
        check.outcome is Outcome.GRADER_ERROR
        for exercise in result.exercises.values()
        for check in exercise.checks
    )
