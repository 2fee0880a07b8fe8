"""Marks for a quiz: what is answered, what is right, and what it earns.

Points of a question: one choice or a number is right or wrong. Where all options
that hold are to be chosen, one slip (a wrong option chosen, or a right one left
out) leaves half of the points and a second slip none. Every such question has two
wrong options at least, so choosing everything earns nothing.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from decimal import Decimal

import msgspec

from grader.course import Course, Exercise
from grader.quiz.model import Answer, Question, Quiz, load_answers, load_quiz
from grader.quiz.reading import Entry, Sheet, number, read_sheet
from grader.results import CheckResult, ExerciseResult, Outcome
from grader.submission import Submission

HALF = Decimal("0.5")
MOST_STRAYS = 5
SHOWN = 80  # characters of an answer that a message repeats


class Given(msgspec.Struct, frozen=True):
    """What a student gave for one question; ``fault`` says why it cannot count."""

    letters: frozenset[str] = frozenset()
    value: float | None = None
    shown: str = ""
    fault: str = ""

    @property
    def answered(self) -> bool:
        """Something was written."""
        return bool(self.shown or self.fault)


def mark(course: Course, exercise: Exercise, submission: Submission) -> ExerciseResult:
    """The points of a quiz.

    Raises:
        CourseError: questions or answers are missing or wrong.
    """
    answers = load_answers(course, exercise.name)
    return _result(course, exercise, submission, answers)


def form_of(
    course: Course, exercise: Exercise, submission: Submission
) -> ExerciseResult:
    """Only which answers are there and can be read: it needs no right answer."""
    return _result(course, exercise, submission, None)


def _result(
    course: Course,
    exercise: Exercise,
    submission: Submission,
    answers: Mapping[str, Answer] | None,
) -> ExerciseResult:
    quiz = load_quiz(course, exercise.name)
    source = submission.files.get(exercise.name)
    blocked = submission.blocked.get(exercise.name, "")
    sheet = read_sheet(source.text if source else "")
    each = quiz.points if answers is not None else Decimal(0)
    checks = []
    for question in quiz.questions:
        given = interpret(question, sheet.entries.get(question.id, ()))
        answer = answers[question.id] if answers is not None else None
        checks.append(_check(question, given, answer, each))
    if source is None:
        for check in checks:
            check.message = blocked or f"No file {exercise.name}.toml was handed in."
            check.outcome = Outcome.ERROR if blocked else Outcome.NOT_WRITTEN
    maximum = exercise.points if answers is not None else Decimal(0)
    return ExerciseResult(
        key="",
        score=min(sum((c.points for c in checks), Decimal(0)), maximum),
        max_score=maximum,
        status=_status(checks, source is not None, blocked),
        checks=checks,
        warnings=[blocked] if blocked else sheet_warnings(quiz, sheet),
        source=source.path if source else "",
    )


def _status(checks: list[CheckResult], handed_in: bool, blocked: str) -> str:
    outcomes = {c.outcome for c in checks}
    if not handed_in:
        return "failed" if blocked else "missing"
    if outcomes == {Outcome.PASSED}:
        return "passed"
    if outcomes == {Outcome.NOT_WRITTEN}:
        return "not_written"
    right = any(c.points > 0 or c.outcome is Outcome.PASSED for c in checks)
    return "partial" if right else "failed"


def _check(
    question: Question, given: Given, answer: Answer | None, each: Decimal
) -> CheckResult:
    outcome, share = Outcome.NOT_WRITTEN, Decimal(0)
    if given.fault:
        outcome = Outcome.FAILED
    elif given.answered and answer is None:
        outcome = Outcome.PASSED
    elif given.answered and answer is not None:
        share = share_of(question, given, answer)
        outcome = Outcome.PASSED if share == 1 else Outcome.FAILED
    return CheckResult(
        id=question.id,
        title=question.title,
        public=True,
        points=share * each,
        max_points=each,
        outcome=outcome,
        message=given.fault,
        expected=answer.shown if answer else "",
        got=given.shown,
    )


def share_of(question: Question, given: Given, answer: Answer) -> Decimal:
    """The part of a question's points that a well-formed answer earns, 0 to 1."""
    if question.kind == "numeric":
        assert isinstance(answer.answer, float)
        if given.value is None:
            return Decimal(0)
        near = abs(given.value - answer.answer) <= answer.tolerance
        return Decimal(1) if near else Decimal(0)
    slips = len(given.letters ^ answer.letters)
    if slips == 0:
        return Decimal(1)
    return HALF if question.kind == "multiple" and slips == 1 else Decimal(0)


def interpret(question: Question, entries: tuple[Entry, ...]) -> Given:
    """What the lines for one question say; blank lines of the sheet do not count."""
    written = [e for e in entries if e.words or e.broken]
    if not written:
        return Given()
    if len(written) > 1:
        lines = ", ".join(str(e.line) for e in written[:3])
        return Given(fault=f"It is answered twice, on lines {lines}; keep one.")
    entry = written[0]
    shown = ", ".join(entry.words)[:SHOWN]
    fault = ""
    if entry.broken:
        fault = f"Line {entry.line} cannot be read: {entry.broken}."
    elif question.kind == "numeric":
        value = number("".join(entry.words)) if len(entry.words) == 1 else None
        if value is not None:
            return Given(value=value, shown=shown)
        fault = f"Line {entry.line}: {shown} is not a number; write it like 0.25."
    else:
        letters = _letters(question, entry)
        if isinstance(letters, frozenset):
            return Given(letters=letters, shown=", ".join(sorted(letters)))
        fault = letters
    return Given(shown=shown, fault=fault)


def _letters(question: Question, entry: Entry) -> frozenset[str] | str:
    """The options chosen, or the sentence on what is wrong."""
    words = [w.casefold() for w in entry.words]
    if question.kind == "multiple" and len(words) == 1 and words[0].isalpha():
        words = list(words[0])  # "acd" is taken for a, c, d
    offered = ", ".join(question.letters)
    for word in words:
        if len(word) != 1 or word not in question.letters:
            return (
                f"Line {entry.line}: {word[:SHOWN]} is none of the options {offered}."
            )
    if len(set(words)) < len(words):
        return f"Line {entry.line} names an option twice."
    if question.kind == "single" and len(words) > 1:
        return f"Line {entry.line} names {len(words)} options; this question has one."
    return frozenset(words)


def sheet_warnings(quiz: Quiz, sheet: Sheet) -> list[str]:
    """A sentence for each answer that belongs to no question, and for strays."""
    known = [q.id for q in quiz.questions]
    found = []
    for name, entries in sheet.entries.items():
        if name in known:
            continue
        near = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
        line = entries[0].line
        fault = f"Line {line}: there is no question {name}."
        if near:
            fault = f"Line {line}: there is no question {name}, but there is {near[0]}."
        found.append(fault)
    if sheet.strays:
        lines = ", ".join(map(str, sheet.strays[:MOST_STRAYS]))
        lines += ", ..." if len(sheet.strays) > MOST_STRAYS else ""
        found.append(
            f"Not read as an answer (name = letter, list or number): line {lines}."
        )
    return found[:20]
