"""The words of every report: verdicts, points, and the sentence on hidden checks."""

from __future__ import annotations

import functools
from decimal import Decimal

from grader.lang import _
from grader.report.clean import clean_line
from grader.results import Outcome, round_points

# Outcome -> (short tag for a terminal, words for a page).
VERDICTS: dict[Outcome, tuple[str, str]] = {
    Outcome.PASSED: ("pass", "passed"),
    Outcome.FAILED: ("FAIL", "failed"),
    Outcome.ERROR: ("ERROR", "your code raised an error"),
    Outcome.TIMEOUT: ("TIMEOUT", "took too long"),
    Outcome.CRASHED: ("CRASHED", "the Python process died"),
    Outcome.NOT_WRITTEN: ("NOT WRITTEN", "not written yet"),
    Outcome.NOT_RUN: ("NOT RUN", "not run"),
    Outcome.GRADER_ERROR: ("GRADER ERROR", "a fault of the grader, not of this code"),
}

# How far an answer came -> what is wrong there. Before any number comes each of
# the others; "" needs no words of its own.
STAGES = {
    "import": "the file cannot be imported",
    "name": "a name that the exercise asks for is missing",
    "undefined": "a name is not defined",
    "call": "the parameters are not those of the exercise",
    "raised": "",
    "return": "nothing came back",
    "kind": "the answer is of another kind",
    "shape": "the shape is not the one asked for",
    "dtype": "the dtype is not the one asked for",
    "number": "",
}

EXERCISE_WORDS = {
    "passed": "passed",
    "partial": "partly right",
    "failed": "failed",
    "missing": "no file",
    "not_written": "not written yet",
}

# A quiz of which only is known what is answered.
FORM_WORDS = {
    "passed": "all answered",
    "partial": "partly answered",
    "failed": "not readable",
    "missing": "no file",
    "not_written": "not answered yet",
}
FORM_TAGS = {
    Outcome.PASSED: "answered",
    Outcome.FAILED: "NOT READABLE",
    Outcome.NOT_WRITTEN: "NOT ANSWERED",
}

SUBMISSION_WORDS = {
    "graded": "graded",
    "grader_error": "grader error",
    "unreadable": "unreadable",
    "missing": "missing",
}

GRADER_FAULT = (
    "The grader could not judge this. It takes no points, and whoever runs the "
    "course sees it."
)
NO_SCORE = {
    "grader_error": "The grader itself had a fault, so there is no score yet. "
    "That is not about this code.",
    "unreadable": "What was handed in cannot be read, so there is no score.",
    "missing": "Nothing was handed in, so there is no score.",
}

# What may be read about lateness, with its words; other keys stay inside.
LATE_FIELDS = {
    "summary": "",
    "submitted_at": "handed in",
    "due": "due",
    "marked_late": "marked late",
    "hours": "hours late",
    "days": "days late",
    "deduction": "points off for lateness",
    "multiplier": "factor for lateness",
    "tokens": "late days used",
}


def tag(outcome: Outcome, only_form: bool = False) -> str:
    """The verdict in a word, for a terminal."""
    if only_form and outcome in FORM_TAGS:
        return _(FORM_TAGS[outcome])
    return _(VERDICTS[outcome][0])


def verdict(outcome: Outcome) -> str:
    """The verdict in words, for a page."""
    return _(VERDICTS[outcome][1])


def exercise(status: str, only_form: bool = False) -> str:
    """How an exercise came out, in words; ``only_form`` of a quiz not yet marked."""
    known = FORM_WORDS if only_form else EXERCISE_WORDS
    return _(known.get(status, status))


def submission(status: str) -> str:
    """What became of a hand-in, in words."""
    return _(SUBMISSION_WORDS.get(status, status))


@functools.lru_cache(maxsize=4096)
def points(value: Decimal | None) -> str:
    """Points as people read them; an em dash when there are none to give."""
    return "\u2014" if value is None else format(round_points(value), "f")


def hidden_decide(public: tuple[int, int], hidden: tuple[int, int]) -> str:
    """How many checks passed. Hidden ones are named even when none is here.

    Args:
        public: public checks passed, and how many there are.
        hidden: the same for hidden checks; (0, 0) where no hidden suite lies.
    """
    passed, total = public
    if not hidden[1]:
        return _(
            "public: {passed} of {total}; hidden checks decide the rest",
            passed=passed,
            total=total,
        )
    return _(
        "public: {passed} of {total}; hidden checks decide the rest "
        "({hidden} of {hidden_total})",
        passed=passed,
        total=total,
        hidden=hidden[0],
        hidden_total=hidden[1],
    )


def person(id: str, name: str = "") -> str:
    """An id, with the name where there is one; both made safe to show."""
    shown = clean_line(id, 120)
    return f"{shown} {clean_line(name, 120)}" if name and name != id else shown


def sort_key(value: Decimal | None) -> str:
    """A number to sort by; what has no score sorts below zero."""
    return "-1" if value is None else points(value)


def part_key(part: tuple[Decimal, str] | None) -> str:
    """A sort key for one exercise of one submission."""
    if part is None or part[1] in ("missing", "not_written"):
        return "-1"
    return points(part[0])


def part_words(part: tuple[Decimal, str] | None) -> str:
    """Points of one exercise, or why there are none."""
    if part is None:
        return points(None)
    if part[1] in ("missing", "not_written"):
        return exercise(part[1])
    return points(part[0])
