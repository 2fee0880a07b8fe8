"""The student's and the TA's edition of one result, each from an allow-list.

| | student, public check | student, hidden check | TA |
|---|---|---|---|
| sentence, verdict, points | yes | yes | yes |
| hint, named mistake, own line, exception type | yes | unless "verdict" | yes |
| inputs, expected, got, trace, output, tables | yes | no | yes |
| warnings | those on their own files | | yes |
| right answers to a quiz | only when the course shows them | | yes |
| seed, isolation, times, identical hand-ins | no | no | yes |

Every text passes through ``clean`` on its way: this is the only door.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from grader.course import Course
from grader.lang import _, sentence
from grader.report import figures, quizzes, words
from grader.report.clean import clean_line, clean_text
from grader.report.mistakes import MistakeTitles
from grader.report.views import (
    ChapterView,
    CheckView,
    Edition,
    ExampleView,
    ExerciseView,
    FullView,
    HintedView,
    TableView,
)
from grader.report.words import GRADER_FAULT, LATE_FIELDS, NO_SCORE
from grader.results import (
    CheckResult,
    Example,
    ExerciseResult,
    Outcome,
    SubmissionResult,
    Table,
)

MAX_WARNINGS = 50
MAX_TABLES = 8
MAX_SIDE = 12
MAX_ALIKE = 3
# A student chooses the names of their own exception classes, and could write a
# hidden input into one. So only names that are ours to know are repeated.
KNOWN_EXCEPTIONS = {
    name
    for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(value, BaseException)
} | {"OutOfMemoryError", "LinAlgError", "NoSuchNameError", "CannotSendError"}
OWN_EXCEPTION = "an exception class of its own"
_NAMED = re.compile(r"^(?:[\w.]+\.)?([A-Za-z_]\w*)(?::|$)")


def build(
    result: SubmissionResult,
    course: Course,
    kind: str,
    *,
    name: str = "",
    identical: Sequence[str] = (),
    mistakes: MistakeTitles | None = None,
) -> Edition:
    """The edition of ``result`` for ``kind``, "student" or "ta".

    Args:
        result: what grading produced; it is not changed.
        course: gives titles, order and the policy on hidden checks.
        kind: who reads it.
        name: the student's name where the TA's list gives one.
        identical: ids of identical hand-ins; only the TA sees them.
        mistakes: titles of named mistakes; read from the course when None.

    Raises:
        ValueError: ``kind`` is neither.
    """
    if kind not in ("student", "ta"):
        raise ValueError(f"an edition is for 'student' or 'ta', not {kind!r}")
    titles = MistakeTitles(course) if mistakes is None else mistakes
    graded = result.status == "graded"
    base: dict[str, Any] = {
        "kind": kind,
        "course": sentence(course.title),
        "course_version": course.version,
        "submission": clean_line(result.submission, 120),
        "name": clean_line(name, 120) if name != result.submission else "",
        "status": result.status,
        "score": result.score if graded else None,
        "max_score": result.max_score,
        "raw_score": result.raw_score if graded else None,
        "late": _late(result.late),
        "chapters": _chapters(result, course, kind, titles),
        "versions": {clean_line(k, 40): clean_line(v, 80) for k, v in _sorted(result)},
        "message": _message(result, kind),
    }
    if kind == "student":
        return Edition(**base, warnings=_lines(_about_exercises(result)))
    return Edition(
        **base,
        warnings=_lines(result.warnings),
        seed=clean_line(result.seed, 120),
        isolation=clean_line(result.isolation, 40),
        bundle=clean_line(result.bundle or "", 120),
        wall_s=result.wall_s,
        cpu_s=result.cpu_s,
        identical=[clean_line(i, 120) for i in identical if i != result.submission],
    )


def student_edition(result: SubmissionResult, course: Course) -> Edition:
    """What the student may see. Nothing of another student is ever in it."""
    return build(result, course, "student")


def ta_edition(
    result: SubmissionResult,
    course: Course,
    *,
    name: str = "",
    identical: Sequence[str] = (),
) -> Edition:
    """All there is, cleaned and capped."""
    return build(result, course, "ta", name=name, identical=identical)


def _sorted(result: SubmissionResult) -> list[tuple[str, str]]:
    return sorted(result.versions.items())


def _lines(texts: Sequence[str]) -> list[str]:
    shown = [clean_line(sentence(t)) for t in texts[:MAX_WARNINGS]]
    if len(texts) > MAX_WARNINGS:
        shown.append(_("[{n} more left out]", n=len(texts) - MAX_WARNINGS))
    return shown


def _about_exercises(result: SubmissionResult) -> list[str]:
    """Warnings on an exercise, its file or what is not used: on their own files.

    The others may speak of the whole download, or of other students.
    """
    # Imported here: printing a result needs no database.
    from grader.gradebook.private import is_ta_only

    files = {e.source for e in result.exercises.values() if e.source}
    own = ["Not used: ", *result.exercises, *files]
    return [
        warning
        for warning in result.warnings
        if not is_ta_only(warning) and any(name in warning for name in own)
    ]


def _late(late: Mapping[str, Any] | None) -> dict[str, str]:
    """Words -> value; what is unknown, empty or False is left out."""
    known = late or {}
    return {
        _(words) if words else "": _("yes")
        if known[key] is True
        else clean_line(sentence(str(known[key])), 200)
        for key, words in LATE_FIELDS.items()
        if known.get(key) not in (None, "", False)
    }


def _message(result: SubmissionResult, kind: str) -> str:
    """Why there is no score. A grader fault is told to the TA in its own words."""
    if result.status == "graded":
        return ""
    general = _(NO_SCORE.get(result.status) or _("There is no score."))
    if kind == "student" and result.status == "grader_error":
        return general
    own = clean_text(sentence(result.message), 2000)
    return f"{general} {own}".strip()


def _chapters(
    result: SubmissionResult, course: Course, kind: str, titles: MistakeTitles
) -> list[ChapterView]:
    """Exercises grouped by chapter, in the order of course.toml."""
    chapters = []
    for chapter in course.chapters:
        views = [
            _exercise(name, result.exercises[name], course, kind, titles)
            for name, spec in course.exercises.items()
            if spec.chapter == chapter.id and name in result.exercises
        ]
        if views:
            chapters.append(ChapterView(title=sentence(chapter.title), exercises=views))
    unknown = sorted(set(result.exercises) - set(course.exercises))
    if unknown:
        views = [
            _exercise(n, result.exercises[n], course, kind, titles) for n in unknown
        ]
        chapters.append(ChapterView(title=_("Not in this course"), exercises=views))
    return chapters


def _exercise(
    name: str, result: ExerciseResult, course: Course, kind: str, titles: MistakeTitles
) -> ExerciseView:
    spec = course.exercises.get(name)
    if spec is not None and spec.kind == "quiz":
        shown = quizzes.checks(name, result.checks, course, kind)
    else:
        policy = course.policy.hidden_feedback
        shown = [_check(c, kind, policy, titles, name) for c in result.checks]
    return ExerciseView(
        name=clean_line(name, 80),
        title=sentence(spec.title) if spec else clean_line(name, 80),
        section=sentence(spec.section) if spec else "",
        status=result.status,
        score=result.score,
        max_score=result.max_score,
        checks=shown,
        warnings=_lines(result.warnings),
        source=clean_line(result.source, 200),
        sha256=clean_line(result.sha256, 64),
        kind=spec.kind if spec else "code",
        figures=figures.shown(result.checks, ta=kind == "ta"),
        comparisons=[figures.cut(f) for f in result.comparisons[: figures.MOST]],
    )


def _check(
    check: CheckResult, kind: str, policy: str, titles: MistakeTitles, exercise: str
) -> CheckView:
    shown: dict[str, Any] = {
        "title": clean_line(sentence(check.title)),
        "public": check.public,
        "outcome": check.outcome,
        "points": check.points,
        "max_points": check.max_points,
    }
    ours = check.outcome is Outcome.GRADER_ERROR
    if kind == "student" and ours:
        return FullView(**shown, message=_(GRADER_FAULT))
    if kind == "student" and not check.public and policy != "full":
        return CheckView(**shown)
    shown |= {
        "hint": clean_text(sentence(check.hint), 1000),
        "mistake": clean_line(sentence(titles.title(exercise, check.mistake))),
        "one_of": [
            clean_line(sentence(titles.title(exercise, name)))
            for name in check.one_of[:MAX_ALIKE]
        ],
        "line": check.line,
        "exception": exception_type(check),
        "stage": check.stage if check.stage in words.STAGES else "",
        "example": example(check.example) if check.example is not None else None,
    }
    if kind == "student" and not check.public:
        return HintedView(**shown)
    return FullView(
        **shown,
        id=clean_line(check.id, 120),
        message=clean_text(sentence(check.message), 2000),
        expected=clean_text(sentence(check.expected), 2000),
        got=clean_text(sentence(check.got), 2000),
        trace=clean_text(check.trace),
        output=clean_text(check.output),
        inputs=[table(t) for t in check.inputs[:MAX_TABLES]],
        tables=[table(t) for t in check.tables[:MAX_TABLES]],
        wall_s=check.wall_s,
        said=f"line {check.line}" in check.message,
    )


def exception_type(check: CheckResult) -> str:
    """The name of the exception that student code raised, when it is a known one."""
    if check.outcome is not Outcome.ERROR:
        return ""
    last = check.trace[-4000:].rstrip().rsplit("\n", 1)[-1].strip()
    for text in (check.got[:4000].strip(), last):
        found = _NAMED.match(text)
        if found:
            known = found[1] in KNOWN_EXCEPTIONS
            return found[1] if known else OWN_EXCEPTION
    return ""


def example(source: Example) -> ExampleView:
    """The example of a failing check; of a hidden one it holds nothing hidden."""
    return ExampleView(
        call=clean_line(source.call, 200),
        inputs=[table(t) for t in source.inputs[:MAX_TABLES]],
        tables=[table(t) for t in source.tables[:MAX_TABLES]],
        what=clean_line(sentence(source.what)),
        expected=clean_line(sentence(source.expected)),
        got=clean_line(sentence(source.got)),
        influence=[figures.cut(f) for f in source.figures[:1]],
    )


def _table_name(name: str) -> str:
    """In the reader's language; the place of a slice, as in "h: got [0]", stays.

    A bare name is that of an argument: it is the same in every language.
    """
    said, place, number = name.rpartition(" [")
    if not place:
        said, number = name, ""
    told = said if said.isidentifier() else sentence(said)
    return told + place + number


def table(source: Table) -> TableView:
    """A table cut to what a page can hold, its name cleaned."""
    side = slice(MAX_SIDE)
    sums = source.sums[side] if source.sums else None
    return TableView(
        name=clean_line(_table_name(source.name), 120),
        rows=[row[side] for row in source.rows[side]],
        shape=source.shape[:8],
        dtype=clean_line(source.dtype, 40),
        masked=[r[side] for r in source.masked[side]] if source.masked else None,
        sums=sums,
        highlight=source.highlight,
    )


def text_of(edition: Edition) -> str:
    """All of an edition as JSON, for tests that search it for hidden text."""
    return msgspec.json.encode(edition).decode()
