"""How results and submissions become rows, and rows become results again."""

from __future__ import annotations

import hashlib
import zlib
from typing import Any

import msgspec

from grader.results import CheckResult, ExerciseResult, SubmissionResult
from grader.submission import Submission

_encoder = msgspec.json.Encoder(decimal_format="string")
_exercise_decoder = msgspec.json.Decoder(ExerciseResult)

# Two gradings that differ in these alone are the same grading.
TIMES = ("wall_s", "cpu_s")


class Handin(msgspec.Struct):
    """The facts of a hand-in beside its files, as kept in ``handins.facts``."""

    group: list[str]
    ids: dict[str, str]
    bundle: str | None
    warnings: list[str]
    unused: list[str]
    blocked: dict[str, str]
    error: str
    paths: dict[str, str]


class Head(msgspec.Struct):
    """A grading without its exercises and points: ``gradings.head``."""

    seed: str
    isolation: str
    versions: dict[str, str]
    bundle: str | None
    wall_s: float
    cpu_s: float
    warnings: list[str]
    message: str
    schema: int


class RawResult(msgspec.Struct):
    """A SubmissionResult whose exercises are JSON already.

    Field order is that of ``SubmissionResult``, so both give the same line.
    """

    submission: str
    status: str
    score: str | None
    max_score: str
    raw_score: str | None
    late: msgspec.Raw | None
    seed: str
    isolation: str
    versions: dict[str, str]
    bundle: str | None
    wall_s: float
    cpu_s: float
    exercises: dict[str, msgspec.Raw]
    warnings: list[str]
    message: str
    schema: int


def encode(value: Any) -> bytes:
    """JSON with decimals as strings."""
    return _encoder.encode(value)


def pack(result: ExerciseResult) -> tuple[str, bytes]:
    """(digest, compressed JSON) of an exercise's result."""
    text = encode(result)
    return hashlib.sha256(text).hexdigest(), zlib.compress(text, 6)


def unpack(detail: bytes) -> bytes:
    """The JSON that ``pack`` compressed."""
    return zlib.decompress(detail)


def decode_exercise(detail: bytes) -> ExerciseResult:
    """The inverse of ``pack``."""
    return _exercise_decoder.decode(unpack(detail))


def facts(submission: Submission) -> Handin:
    """What is kept of a hand-in, apart from columns of their own."""
    return Handin(
        group=submission.group,
        ids=submission.ids,
        bundle=submission.bundle,
        warnings=submission.warnings,
        unused=submission.unused,
        blocked=submission.blocked,
        error=submission.error,
        paths={name: s.path for name, s in sorted(submission.files.items())},
    )


def handin_fingerprint(submission: Submission) -> str:
    """Equal when nothing about the hand-in has changed, names and times included."""
    values = (
        submission.digest(),
        submission.name,
        submission.email,
        submission.submitted_at,
        submission.time_source,
        submission.late,
        facts(submission),
    )
    return hashlib.sha256(encode(values)).hexdigest()


def head(result: SubmissionResult) -> Head:
    """The part of a result that is neither points nor exercises."""
    return Head(**{f: getattr(result, f) for f in Head.__struct_fields__})


def grading_fingerprint(result: SubmissionResult, result_ids: list[int]) -> str:
    """Equal when a grading says the same again, times apart."""
    kept = msgspec.to_builtins(head(result))
    for name in TIMES:
        del kept[name]
    values = (
        result.status,
        result.score,
        result.max_score,
        result.raw_score,
        result.late,
        kept,
        result_ids,
    )
    return hashlib.sha256(encode(values)).hexdigest()


def check_row(result_id: int, position: int, check: CheckResult) -> tuple[Any, ...]:
    """One row of ``check_results``."""
    return (
        result_id,
        position,
        check.id,
        check.title,
        check.public,
        format(check.points, "f"),
        format(check.max_points, "f"),
        check.outcome.value,
        check.message,
        check.mistake,
        check.wall_s,
        check.cpu_s,
    )
