"""``--times FILE``: when hand-ins came in, where the download does not say."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from grader.dates import parse, zone_of
from grader.errors import UsageError
from grader.exports.sheet import Sheet
from grader.semester import matching
from grader.submission import Submission

TIME = ("time", "submitted_at", "submitted at", "last modified (submission)", "date")
WHO = ("id", "submission", "name", "full name", "email", "email address", "identifier")


def apply_times(submissions: Sequence[Submission], path: Path, zone: str) -> list[str]:
    """Give each submission the time that ``path`` has for it.

    Args:
        submissions: changed in place.
        path: a CSV with a column ``time`` and one of id, name, email.
        zone: of times without an offset.

    Returns:
        One sentence for each line that belongs to no submission.

    Raises:
        UsageError: it is no such file, or a time cannot be read.
    """
    sheet = Sheet(path)
    header = [cell.strip().casefold() for cell in sheet.values(0)]
    time = next((header.index(name) for name in TIME if name in header), None)
    places = [n for n, name in enumerate(header) if name in WHO]
    if time is None or not places:
        raise UsageError(
            f"{path} has no times: its first line should name the columns id and time."
        )
    people = matching.People()
    for submission in submissions:
        people.add(submission.id, submission.name, submission.email, submission.ids)
    strangers = []
    for row in range(1, len(sheet)):
        names = [sheet.value(row, n).strip() for n in places]
        text = sheet.value(row, time).strip()
        if not any(names) or not text:
            continue
        moment = parse(text, zone_of(zone))
        if moment is None:
            raise UsageError(
                f"{path}, line {row + 1}: {text!r} is no time; write it like "
                "2026-10-12 23:59 or 2026-10-12T23:59:00+02:00."
            )
        number = people.find(key for name in names for key in _keys(name))
        if number is None:
            near = people.nearest(names[0])
            told = f"; nearest: {near}" if near else ""
            strangers.append(f"{path.name}: {names[0]} handed in nothing here{told}")
            continue
        submission = submissions[number]
        submission.submitted_at = moment.astimezone(zone_of(zone)).isoformat()
        submission.time_source = path.name
    return strangers


def _keys(text: str) -> list[tuple[str, str]]:
    number = text.rpartition(" ")[2]
    email = text if "@" in text else ""
    known = {kind: number for kind in matching.ID_KINDS} if number.isdigit() else {}
    return list(matching.keys(text, text, email, known))
