"""From what pytest saw to a CheckResult: the outcome, its owner, its words."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

import _pytest.outcomes

from grader.results import CheckResult, Outcome, Table
from grader.session import beginnings
from grader.session.arrays import has_numbers
from grader.session.checks import Check
from grader.session.failing import ExpectationError
from grader.session.show import table
from grader.session.workers import sandbox
from grader.session.workers.faults import (
    BrokeProtocolError,
    BudgetSpentError,
    EnvironmentFault,
    StudentError,
    WorkerCrashedError,
    WorkerTimeoutError,
)
from grader.submission import Source, Submission

MOST_INPUTS = 6
MOST_GIST = 300  # letters of a message that a report quotes in its one line
_NUMBER = re.compile(r"\d+")
WAITS = "Not tried: another check has to pass first."
_STILL = re.compile(r"\n?still running: ([^\n]{1,99}), line (\d{1,7}), in (.{1,99})\n")
UNUSABLE = "This check cannot use an answer of this kind"


def blank(check: Check, outcome: Outcome = Outcome.NOT_RUN) -> CheckResult:
    """A result without points."""
    return CheckResult(
        id=check.id,
        title=check.title,
        public=check.public,
        points=Decimal(0),
        max_points=check.points,
        outcome=outcome,
    )


def waiting(check: Check, other: CheckResult) -> CheckResult:
    """The result of a check that waits for ``other``, which did not pass."""
    unwritten = other.outcome is Outcome.NOT_WRITTEN
    result = blank(check, Outcome.NOT_WRITTEN if unwritten else Outcome.FAILED)
    result.message = "Not written yet." if unwritten else WAITS
    if not unwritten:
        result.expected, result.got = f'"{other.title}" passes', "it does not yet"
    return result


def judge(
    check: Check,
    error: BaseException | None,
    submission: Submission,
    isolation: str = "none",
) -> CheckResult:
    """The result of a check that ended with ``error`` (None: it passed).

    An exception that is neither an expectation nor the student's comes out as
    ``GRADER_ERROR``; the caller finds out whose it is.
    """
    result = blank(check, Outcome.PASSED)
    if error is None:
        result.points = check.points
        return result
    result.hint = check.hint
    if isinstance(error, ExpectationError):
        _expectation(result, error)
        source = submission.files.get(check.exercise)
        text = source.text if source is not None and source.kind == "py" else ""
        result.line = beginnings.line_of_ready_made(error.what, text)
    elif isinstance(error, StudentError):
        _student(result, error, submission, check.exercise)
        _explain(result, error, isolation)
    elif isinstance(error, WorkerTimeoutError):
        result.outcome = Outcome.TIMEOUT
        kind = "waiting" if error.wall else "computing"
        result.message = f"Stopped after {error.limit_s:.3g} s of {kind}."
        if _at_import(error):
            result.message = (
                f"Stopped after {error.limit_s:.3g} s of {kind} "
                "while the file was being imported."
            )
        result.expected, result.got = "an answer in time", str(error)
    elif isinstance(error, WorkerCrashedError):
        result.outcome = Outcome.CRASHED
        result.message = f"The program ended in the middle of this check: {error}."
        result.expected, result.got = "an answer", str(error)
    elif isinstance(error, BrokeProtocolError):
        result.outcome = Outcome.FAILED
        result.message = f"The answer could not be read: {error}."
        result.expected, result.got = "an answer that is plain data", str(error)
    elif isinstance(error, BudgetSpentError):
        result.outcome = Outcome.NOT_RUN
        result.message = "Not run: the time for the whole hand-in was used up before."
    elif isinstance(error, _pytest.outcomes.Failed) and "DID NOT RAISE" in str(error):
        result.outcome = Outcome.FAILED
        result.message = "No exception was raised."
        result.expected, result.got = str(error.msg)[14:], "no exception"
    else:
        result.outcome = Outcome.GRADER_ERROR
        what = (
            "environment" if isinstance(error, EnvironmentFault | OSError) else "suite"
        )
        result.message = f"{what}: {type(error).__name__}: {error}"[:500]
    return result


def signature(error: BaseException | None) -> str:
    """What makes two failures one: the expectation, whatever its sizes."""
    if isinstance(error, ExpectationError):
        return f"{error.stage}: {_NUMBER.sub('#', error.what)}"
    return error.kind if isinstance(error, StudentError) else ""


def _expectation(result: CheckResult, error: ExpectationError) -> None:
    result.outcome = Outcome.FAILED
    result.message, result.stage = error.what, error.stage
    result.expected, result.got = error.expected, error.got
    result.hint = error.hint or result.hint
    if error.stage == "return":
        result.message = beginnings.nothing_came_back(error.what)
        result.hint = beginnings.NO_RETURN
    result.tables = error.tables


def unusable(result: CheckResult, error: BaseException) -> None:
    """The suite stumbled over an answer that the reference's does not have."""
    result.outcome = Outcome.FAILED
    result.message = UNUSABLE
    result.expected = "an answer of the form that the task describes"
    result.got = f"one that gives {type(error).__name__}: {error}"[:300]


def _student(
    result: CheckResult, error: StudentError, submission: Submission, exercise: str
) -> None:
    source = submission.files.get(exercise)
    result.trace, result.line = _trace(error, source, exercise)
    if error.kind == "NotImplementedError":
        result.outcome = Outcome.NOT_WRITTEN
        result.message, result.trace, result.hint = "Not written yet.", "", ""
        return
    result.outcome = Outcome.ERROR
    text = str(error).strip()
    first = text.splitlines()[0][:MOST_GIST] if text else ""
    result.got = f"{error.kind}: {_gist(text)}" if first else error.kind
    result.expected = "an answer"
    when = "while the file was being imported" if _at_import(error) else "in this check"
    result.stage = "import" if _at_import(error) else "raised"
    result.message = f"{error.kind} was raised {when}."
    if result.line:
        result.message = f"{error.kind} was raised at line {result.line} {when}."
    if error.kind == "NoSuchNameError":
        result.message = f"The file does not define what this check calls: {first}."
        result.stage = "name"
    elif error.kind in ("SystemExit", "KeyboardInterrupt"):
        result.message = f"The code ended the program ({error.kind}) {when}."
        if result.line:
            result.message = (
                f"The code ended the program at line {result.line} "
                f"({error.kind}) {when}."
            )
    elif error.kind == "ModuleNotFoundError":
        result.message += (
            " An exercise is graded from its own file: copy into it what you need "
            "of other files."
        )
    elif error.kind == "CannotSendError":
        result.message = f"The answer is no plain data or tensor: {first}."
        result.stage = "kind"
    text = source.text if source is not None else ""
    words = beginnings.of_exception(error.kind, first, bool(result.trace), text)
    if words is not None:
        result.message, result.hint = words.message, words.hint
        result.stage = result.stage if _at_import(error) else words.stage


def _gist(text: str) -> str:
    """The first line of a message, with what it announces when it ends in a colon."""
    first, *others = [line.strip() for line in text[:2000].splitlines()]
    if first.endswith(":"):
        first = " ".join([first, *filter(None, others)])
    return first if len(first) <= MOST_GIST else first[: MOST_GIST - 3] + "..."


def _explain(result: CheckResult, error: StudentError, isolation: str) -> None:
    """Say so where it was the sandbox that refused something."""
    lines = result.trace.splitlines()
    line = lines[-2] if len(lines) >= 2 else ""
    words = sandbox.sentence(error.kinds, str(error), line, isolation)
    if words:
        result.message += f" {words}"


def say_where(result: CheckResult, submission: Submission, exercise: str) -> None:
    """The line at which a check ran out of time, from the worker's last words."""
    if result.outcome is not Outcome.TIMEOUT:
        return
    found = list(_STILL.finditer(result.output))
    result.output = _STILL.sub("", result.output)
    source = submission.files.get(exercise)
    for said in reversed(found):
        file, number, function = said[1], int(said[2]), said[3]
        text = _line(source, file, number, exercise)
        if text is not None:
            result.line = number
            where = "" if function == "<module>" else f", in {function}"
            result.trace = f"{file}, line {number}{where}\n    {text.strip()[:200]}"
            return


def _at_import(error: BaseException) -> bool:
    return bool(getattr(error, "at_import", False))


def _trace(
    error: StudentError, source: Source | None, exercise: str
) -> tuple[str, int | None]:
    """Frames of the student's own file, with lines from the bytes handed in."""
    lines: list[str] = []
    last = None
    for file, number, function in error.frames:
        text = _line(source, file, number, exercise)
        if text is None:
            continue
        last = number
        where = f"in {function}" if function and function != "<module>" else ""
        lines.append(f"{file}, line {number}{', ' + where if where else ''}")
        lines.append(f"    {text.strip()[:200]}")
    if lines:
        lines.append(f"{error.kind}: {str(error)[:2000]}")
    return "\n".join(lines), last


def _line(source: Source | None, file: str, number: int, exercise: str) -> str | None:
    """Line ``number`` of a file that the worker names; None when there is none."""
    if source is None:
        return None
    if file == f"{exercise}.py":
        lines = source.text.splitlines()
    elif file.startswith("cell ") and file[5:].isdecimal():
        cells: Any = source.cells
        index = int(file[5:6] if len(file) == 6 else file[5:8]) - 1
        lines = cells[index].splitlines() if 0 <= index < len(cells) else []
    else:
        return None
    return lines[number - 1] if 1 <= number <= len(lines) else None


def input_tables(asked: tuple[list[Any], Any, Any] | None) -> list[Table]:
    """What went into the last call of a check, tensors and arrays, as small tables."""
    if asked is None:
        return []
    target, args, kwargs = asked
    name = str(target[-1]) or "the object"
    given = [(f"argument {i}", v) for i, v in enumerate(args, 1)] + list(kwargs.items())
    tables = []
    for label, value in given:
        if has_numbers(value):
            tables.append(table(f"{name}: {label}", value))
    return tables[:MOST_INPUTS]
