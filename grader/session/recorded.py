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
from typing import TYPE_CHECKING, Any

import msgspec

from grader import wire
from grader.results import Outcome
from grader.session.namer import Mistake, load_mistakes, same
from grader.session.runner import TOO_MUCH, Call
from grader.submission import as_submission

if TYPE_CHECKING:
    from grader.session.grade import Graded, Grader

RECORDED = "recorded.bin"
_TELLING = (Outcome.FAILED, Outcome.ERROR)


class _Object:
    """Stands for an object that stayed in the worker."""


_OBJECT = _Object()


class Recorded(msgspec.Struct):
    """One mistake: the outcome of every public check, the answers of the failed.

    ``answers``: check -> (head, blob) of a list of [what was called, answer].
    """

    name: str
    hint: str
    hint_zh: str
    outcomes: dict[str, str]
    answers: dict[str, tuple[bytes, bytes]]


def _packed(calls: list[Call]) -> tuple[bytes, bytes]:
    """Calls in the form of the wire; an object is only known to be one."""
    encoder = wire.Encoder(handle=lambda value: wire.Handle(0))
    values = [[str(c.target[-1]), encoder.encode(c.value)] for c in calls]
    return msgspec.msgpack.encode(values), bytes(encoder.blob)


def _unpacked(head: bytes, blob: bytes) -> list[Any]:
    decoder = wire.Decoder(bytearray(blob), handle=lambda number: _OBJECT)
    values: list[Any] = decoder.decode(head, list)
    return values


def record(grader: Grader, exercise: str) -> bytes:
    """Run the mistakes of ``exercise`` on its public checks, and keep their answers.

    Only the public suites must be collected, and the seed be that of ``check``.
    Left out are mistakes that no public check tells from the solution.
    """
    folder = grader.course.folder("mistakes") / exercise
    solution = as_submission(grader.solution_path(exercise), exercise)
    right = grader.run_exercise(solution, exercise).calls
    kept = []
    for name, mistake in load_mistakes(folder).items():
        submission = as_submission(folder / f"{name}.py", exercise, name)
        graded = grader.run_exercise(submission, exercise)
        failed = [c.id for c in graded.result.checks if c.outcome in _TELLING]
        calls = {check: graded.calls[check] for check in failed}
        told = any(
            not _same_calls(_unpacked(*_packed(mine)), right.get(check, []))
            for check, mine in calls.items()
        )
        if told and not _too_much(calls):
            outcomes = {c.id: c.outcome.value for c in graded.result.checks}
            answers = {check: _packed(mine) for check, mine in calls.items()}
            kept.append(
                Recorded(name, mistake.hint, mistake.hint_zh, outcomes, answers)
            )
    return zlib.compress(msgspec.msgpack.encode(kept), 9)


def _too_much(calls: dict[str, list[Call]]) -> bool:
    return any(c.value is TOO_MUCH for some in calls.values() for c in some)


def load(data: bytes) -> list[Recorded]:
    """The inverse of ``record``."""
    return msgspec.msgpack.decode(zlib.decompress(data), type=list[Recorded])


def name(recorded: list[Recorded], graded: Graded) -> None:
    """Set ``mistake`` and its hint on the failing checks, where one is sure."""
    checks = graded.result.checks
    if not any(c.outcome in _TELLING for c in checks):
        return
    found = [r for r in recorded if _agrees(r, graded)]
    if len(found) != 1:
        return
    for check in checks:
        if check.outcome in _TELLING:
            check.mistake, check.hint = found[0].name, found[0].hint


def _agrees(known: Recorded, graded: Graded) -> bool:
    """The same outcome in every check, the same answers in the failed ones."""
    outcomes = {c.id: c.outcome.value for c in graded.result.checks}
    if outcomes != known.outcomes:
        return False
    return all(
        _same_calls(_unpacked(*answers), graded.calls.get(check, []))
        for check, answers in known.answers.items()
    )


def _same_calls(known: list[Any], mine: list[Call]) -> bool:
    if len(known) != len(mine) or _too_much({"": mine}):
        return False
    plain = _unpacked(*_packed(mine))
    return all(
        theirs[0] == ours[0] and same(ours[1], theirs[1])
        for theirs, ours in zip(known, plain, strict=True)
    )


def student_toml(folder: Path, data: bytes) -> bytes:
    """``mistakes.toml`` of the recorded mistakes: titles and hints."""
    known: dict[str, Mistake] = load_mistakes(folder)
    lines = []
    for recorded in load(data):
        mistake = known[recorded.name]
        fails = [c for c in mistake.fails if c in recorded.outcomes]
        lines.append(f"[{recorded.name}]")
        for key in ("title", "title_zh", "hint", "hint_zh"):
            text = json.dumps(getattr(mistake, key), ensure_ascii=False)
            lines.append(f"{key} = {text}")
        lines += [f"fails = {json.dumps(fails)}", ""]
    return "\n".join(lines).encode()
