"""Answers of others, who state their verdicts: the suite must agree."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from grader.course import Course
from grader.errors import UsageError
from grader.validate.running import failing, run

if TYPE_CHECKING:
    from grader.session.grade import Grader


class Outside(msgspec.Struct, forbid_unknown_fields=True):
    """One entry of an outside manifest."""

    path: str
    exercise: str
    expect: str
    why: str = ""


class Verdict(msgspec.Struct):
    """How an outside variant came out."""

    path: str
    exercise: str
    expect: str
    passed: bool
    score: Decimal
    failing: list[str]
    mistake: str | None
    why: str

    @property
    def right(self) -> bool:
        """The suite agrees with who wrote the variant."""
        return self.passed == (self.expect == "pass")


def read_manifest(folder: Path, course: Course) -> list[Outside]:
    """The entries of ``folder/manifest.json``.

    Raises:
        UsageError: it is missing, wrong, or names what does not exist.
    """
    path = folder / "manifest.json"
    try:
        entries = msgspec.json.decode(path.read_bytes(), type=list[Outside])
    except FileNotFoundError as e:
        raise UsageError(f"{path} does not exist; it lists the variants.") from e
    except msgspec.MsgspecError as e:
        raise UsageError(f"{path}: {e}.") from e
    for entry in entries:
        course.select([entry.exercise])
        if entry.expect not in ("pass", "fail"):
            raise UsageError(f'{path}: expect is "pass" or "fail", not {entry.expect}.')
        if not (folder / entry.path).is_file():
            raise UsageError(f"{path}: {entry.path} does not exist.")
    return entries


def judge_outside(
    grader: Grader, folder: Path, entries: list[Outside], seeds: list[str]
) -> Iterator[Verdict]:
    """Grade outside variants, one after the other.

    Of several seeds the verdict is that of the first one that disagrees with
    who wrote the variant.
    """
    for entry in entries:
        for seed in seeds:
            grader.use(seed)
            result = run(grader, folder / entry.path, entry.exercise)
            if (result.score == result.max_score) != (entry.expect == "pass"):
                break
        names = sorted({c.mistake for c in result.checks if c.mistake})
        yield Verdict(
            entry.path,
            entry.exercise,
            entry.expect,
            result.score == result.max_score,
            result.score,
            failing(result),
            names[0] if names else None,
            entry.why,
        )
