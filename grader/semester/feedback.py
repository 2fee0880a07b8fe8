"""Student editions on their way back: folder, LMS zip, or Markdown comments."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from grader.atomic import replacing
from grader.course import Course
from grader.exports.common import points_text
from grader.exports.feedback import check_lines
from grader.exports.match import members
from grader.gradebook import Person
from grader.report.editions import student_edition
from grader.report.html import render_report
from grader.report.mistakes import MistakeTitles
from grader.report.paths import report_name
from grader.report.views import ExerciseView
from grader.report.words import EXERCISE_WORDS, NO_SCORE, hidden_decide
from grader.results import SubmissionResult
from grader.semester.folders import replacing_folder

FORMATS = ("folder", "moodle", "canvas", "markdown")
FILE = "feedback.html"
_EPOCH = (1980, 1, 1, 0, 0, 0)  # equal feedback gives an equal zip
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~@])")


class Item(msgspec.Struct, frozen=True):
    """One submission on its way back to the people behind it."""

    result: SubmissionResult
    person: Person


class Handed(msgspec.Struct):
    """What was written, and for whom nothing could be."""

    path: Path
    written: int = 0
    left_out: list[str] = msgspec.field(default_factory=list)

    def lines(self) -> list[str]:
        """The same in words."""
        told = [f"left out: {line}" for line in self.left_out]
        return [f"{self.path}: {self.written} student editions.", *told]


def write(items: Iterable[Item], course: Course, format: str, target: Path) -> Handed:
    """Write the student editions of ``items``; ``target`` appears whole.

    Args:
        items: what counts now, with who handed it in.
        course: titles and policy.
        format: one of ``FORMATS``.
        target: a folder, or for an LMS the zip to upload there.
    """
    handed = Handed(target)
    if format in ("moodle", "canvas"):
        name = moodle_name if format == "moodle" else canvas_name
        titles = MistakeTitles(course)
        with replacing(target) as file, zipfile.ZipFile(file, "w") as archive:
            for item in items:
                page = render_report(item.result, course, "student", mistakes=titles)
                for who in members(item.person):
                    _add(archive, name(who), page, item, who, handed)
        return handed
    with replacing_folder(target) as folder:
        for path, text in _files(items, course, format):
            (folder / path).write_text(text, encoding="utf-8", newline="\n")
            handed.written += 1
    return handed


def _files(
    items: Iterable[Item], course: Course, format: str
) -> Iterator[tuple[str, str]]:
    titles = MistakeTitles(course)
    for item in items:
        page = report_name(item.result.submission)
        if format == "folder":
            yield (
                page,
                render_report(item.result, course, "student", mistakes=titles),
            )
        else:
            yield page.removesuffix(".html") + ".md", markdown(item.result, course)


def _add(
    archive: zipfile.ZipFile,
    name: str | None,
    page: str,
    item: Item,
    who: Person,
    handed: Handed,
) -> None:
    if name is None:
        mate = f" for {who.name or who.id}" if who is not item.person else ""
        handed.left_out.append(
            f"{item.result.submission}{mate} (the download that was graded is not of "
            "this system)"
        )
        return
    info = zipfile.ZipInfo(name, _EPOCH)
    archive.writestr(info, page.encode(), zipfile.ZIP_DEFLATED)
    handed.written += 1


def moodle_name(who: Person) -> str | None:
    """What Moodle's upload of feedback files looks for: the participant's number.

    It cuts the name at underscores, so that the person's own name may have none.
    """
    number = who.ids.get("moodle", "")
    if not number.isdigit():
        return None
    name = re.sub(r"[\W_]+", " ", who.name or who.id).strip() or "Participant"
    return f"{name}_{number}_assignsubmission_file_{FILE}"


def canvas_name(who: Person) -> str | None:
    """What Canvas's upload of submissions looks for: the first two numbers.

    They are the user and one of the files that this user handed in.
    """
    user, file = who.ids.get("canvas", ""), who.ids.get("canvas_file", "")
    if not (user.isdigit() and file.isdigit()):
        return None
    name = re.sub(r"[\W_\d]+", "", (who.name or who.id).casefold()) or "student"
    return f"{name}_{user}_{file}_{FILE}"


# -- Markdown ---------------------------------------------------------------


def markdown(result: SubmissionResult, course: Course) -> str:
    """A comment for a repository, from the student's edition alone."""
    edition = student_edition(result, course)
    lines = [f"## {_plain(edition.course)}", ""]
    if edition.score is None:
        return "\n".join([*lines, NO_SCORE.get(edition.status, ""), ""])
    total = f"{points_text(edition.score)} of {points_text(edition.max_score)} points"
    lines += [
        f"**{total}**, {hidden_decide(edition.count(True), edition.count(False))}"
    ]
    lines += ["", *(_late_line(k, v) for k, v in edition.late.items())]
    for exercise in edition.exercises:
        lines += ["", *_exercise(exercise)]
    return "\n".join([*lines, ""])


def _late_line(words: str, value: str) -> str:
    return f"- {words}: {_plain(value)}" if words else f"- {_plain(value)}"


def _exercise(exercise: ExerciseView) -> Iterator[str]:
    score = f"{points_text(exercise.score)} of {points_text(exercise.max_score)}"
    verdict = EXERCISE_WORDS.get(exercise.status, exercise.status)
    yield f"### {_plain(exercise.title)}: {verdict}, {score}"
    for warning in exercise.warnings:
        yield f"> {_plain(warning)}"
    for check in exercise.checks:
        if check.passed:
            continue
        first, *rest = check_lines(check)
        yield f"- {_plain(first)}"
        if rest:
            yield from _block("\n".join(rest))


def _block(text: str) -> Iterator[str]:
    """Text of a program, in a fence longer than any in it."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    yield f"  {fence}text"
    yield from (f"  {line}" for line in text.splitlines())
    yield f"  {fence}"


def _plain(text: str) -> str:
    """Text in which nothing is a mark, a link, or a mention of somebody."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split())).replace("\\@", "@\u2060")
