"""Recorded answers of the named mistakes: numbers and hints, no code.

Where mistakes are not at hand (on a student's machine), a failing hand-in is
compared with what each mistake answered on the same public cases when the
bundle was made. The draws are those of ``check``, whose seed is fixed; where
another torch draws other numbers, nothing agrees and nothing is named.
"""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from grader.results import Outcome
from grader.session import journal
from grader.session.naming.namer import MOST_ALIKE, Mistake, load_mistakes, tell, ways
from grader.submission import as_submission

if TYPE_CHECKING:
    from grader.session.grade import Grader
    from grader.session.graded import Graded

RECORDED = "recorded.bin"
BLOCK = 256  # bytes; weights that many mistakes share are kept once
_TELLING = (Outcome.FAILED, Outcome.ERROR)


class Recorded(msgspec.Struct):
    """One way of a mistake: the outcome of every public check, its wrong answers.

    ``answers``: check -> form and numbers of a ``journal.Record``.
    """

    name: str
    hint: str
    hint_zh: str
    outcomes: dict[str, str]
    answers: dict[str, tuple[bytes, bytes]]


class _File(msgspec.Struct):
    """On disk: all blocks of numbers, and by mistake and check which they are."""

    blocks: list[bytes]
    ways: list[Recorded]
    numbers: list[dict[str, list[int]]]


def _packed(record: journal.Record) -> tuple[bytes, bytes]:
    return record.form, record.numbers.astype("<f4").tobytes()


def _unpacked(form: bytes, numbers: bytes) -> journal.Record:
    return journal.Record(form, np.frombuffer(numbers, dtype="<f4"))


def record(grader: Grader, exercise: str) -> bytes:
    """Run the mistakes of ``exercise`` on its public checks, and keep their answers.

    Only the public suites must be collected, and the seed be that of ``check``.
    Left out are mistakes that no public check tells from the solution, and the
    checks of a lab that train.
    """
    folder = grader.course.folder("mistakes") / exercise
    solution = as_submission(grader.references.path(exercise), exercise)
    right = grader.run_exercise(solution, exercise, labs=False).calls
    kept = []
    mistakes = load_mistakes(folder)
    for module, (name, _) in ways(mistakes).items():
        mistake = mistakes[name]
        submission = as_submission(folder / f"{module}.py", exercise, module)
        graded = grader.run_exercise(submission, exercise, labs=False)
        failed = [c.id for c in graded.result.checks if c.outcome in _TELLING]
        mine = {check: journal.record(graded.calls[check]) for check in failed}
        told = any(
            not journal.agree(answer, journal.record(right.get(check, [])))
            for check, answer in mine.items()
        )
        if told and all(answer.whole for answer in mine.values()):
            outcomes = {c.id: c.outcome.value for c in graded.result.checks}
            answers = {check: _packed(answer) for check, answer in mine.items()}
            kept.append(
                Recorded(name, mistake.hint, mistake.hint_zh, outcomes, answers)
            )
    return dump(kept)


def dump(kept: list[Recorded]) -> bytes:
    """As it lies in a bundle: equal blocks of numbers are written once."""
    blocks: dict[bytes, int] = {}
    file = _File([], [], [])
    for way in kept:
        forms, places = {}, {}
        for check, (form, numbers) in way.answers.items():
            cut = [numbers[i : i + BLOCK] for i in range(0, len(numbers), BLOCK)]
            places[check] = [blocks.setdefault(block, len(blocks)) for block in cut]
            forms[check] = form, b""
        file.ways.append(msgspec.structs.replace(way, answers=forms))
        file.numbers.append(places)
    file.blocks = list(blocks)
    return zlib.compress(msgspec.msgpack.encode(file), 9)


def load(data: bytes) -> list[Recorded]:
    """The inverse of ``dump``."""
    file = msgspec.msgpack.decode(zlib.decompress(data), type=_File)
    for way, places in zip(file.ways, file.numbers, strict=True):
        for check, numbers in places.items():
            form, _ = way.answers[check]
            way.answers[check] = form, b"".join(file.blocks[n] for n in numbers)
    return file.ways


def name(recorded: list[Recorded], graded: Graded) -> None:
    """Set ``mistake`` and its hint on the failing checks, where one is sure."""
    checks = graded.result.checks
    if not any(c.outcome in _TELLING for c in checks):
        return
    agreeing = [r for r in recorded if _agrees(r, graded)]
    hints = {r.name: r.hint for r in agreeing}
    if 0 < len(hints) <= MOST_ALIKE:
        tell([c for c in checks if c.id in agreeing[0].outcomes], hints)


def _agrees(known: Recorded, graded: Graded) -> bool:
    """The same outcome in every check, the same answers in the failed ones.

    Of a lab the checks that train are no part of what was recorded.
    """
    outcomes = {c.id: c.outcome.value for c in graded.result.checks}
    if any(outcomes.get(check) != was for check, was in known.outcomes.items()):
        return False
    return all(
        journal.agree(_unpacked(*answers), journal.record(graded.calls.get(check, [])))
        for check, answers in known.answers.items()
    )


def student_toml(folder: Path, data: bytes) -> bytes:
    """``mistakes.toml`` of the recorded mistakes: titles and hints."""
    known: dict[str, Mistake] = load_mistakes(folder)
    lines = []
    for name, recorded in {r.name: r for r in load(data)}.items():
        mistake = known[name]
        fails = [c for c in mistake.fails if c in recorded.outcomes]
        lines.append(f"[{name}]")
        for key in ("title", "title_zh", "hint", "hint_zh"):
            text = json.dumps(getattr(mistake, key), ensure_ascii=False)
            lines.append(f"{key} = {text}")
        lines.append(f"fails = {json.dumps(fails)}")
        lines += [f"costs_at_most = {mistake.costs_at_most}", ""]
    return "\n".join(lines).encode()
