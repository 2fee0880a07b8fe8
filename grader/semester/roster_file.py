"""A class list as Canvas, Moodle or a person wrote it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from grader.errors import UsageError
from grader.exports.sheet import Sheet
from grader.gradebook import Enrolled
from grader.intake.ids import safe_id
from grader.semester.matching import ID_KINDS

# Our fields, by what the columns are called (in lower case), the best first.
COLUMNS = {
    "id": ("id", "student id", "id number", "matriculation number", "学号"),
    "name": ("name", "student", "full name", "姓名"),
    "given": ("first name", "firstname", "given name"),
    "family": ("last name", "surname", "lastname", "family name"),
    "email": ("email", "email address", "e-mail", "e-mail address", "邮箱"),
    "section": ("section", "sections", "group", "groups", "班级"),
    "team": ("team",),
    "login": ("sis login id", "login", "username"),
    "sid": ("sis user id", "sid"),
    "moodle": ("identifier", "moodle"),
    "canvas": ("canvas",),
    "gradescope": ("gradescope",),
}


def read_roster(path: Path) -> list[Enrolled]:
    """Everybody on the list, by id.

    Args:
        path: a gradebook exported from Canvas, a grading worksheet or list of
            participants from Moodle, or any CSV with the columns id, name, email
            and section (further ones: team, login, sid, canvas, moodle).

    Raises:
        UsageError: it is none of these, or two people have one id.
    """
    sheet = Sheet(path)
    header = [cell.strip().casefold() for cell in sheet.values(0)]
    places = {
        field: place
        for field, names in COLUMNS.items()
        for place in [_place(header, names)]
        if place is not None
    }
    is_canvas = "student" in header and "id" in header
    if is_canvas:  # its column ID is Canvas's own number and nobody's name
        places["canvas"] = places.pop("id")
    if not (places.keys() & {"id", "email", "login", "canvas", "moodle"}):
        raise UsageError(
            f"{path} is no class list: its first line should name columns such as "
            "id, name, email, section."
        )
    people: dict[str, Enrolled] = {}
    for row in range(1, len(sheet)):
        cells = {field: sheet.value(row, n).strip() for field, n in places.items()}
        if is_canvas and not cells["canvas"].isdigit():
            continue  # points possible, manual posting, the empty last line
        person = _person(cells)
        if person is None:
            continue
        if person.id in people:
            raise UsageError(f"{path}: {person.id} is there twice (line {row + 1}).")
        people[person.id] = person
    if not people:
        raise UsageError(f"{path} lists nobody.")
    return [people[who] for who in sorted(people)]


def _place(header: list[str], names: tuple[str, ...]) -> int | None:
    return next((header.index(name) for name in names if name in header), None)


def _person(cells: dict[str, str]) -> Enrolled | None:
    name = cells.get("name") or " ".join(
        filter(None, (cells.get("given", ""), cells.get("family", "")))
    )
    ids = dict(_ids(cells))
    email = cells.get("email", "")
    candidates = (
        cells.get("id", ""),
        cells.get("login", ""),
        cells.get("sid", ""),
        email.partition("@")[0],
        name,
        ids.get("canvas", ""),
        ids.get("moodle", ""),
    )
    who = next(filter(None, candidates), "")
    if not who:
        return None
    return Enrolled(
        safe_id(who), name, email, cells.get("section", ""), cells.get("team", ""), ids
    )


def _ids(cells: dict[str, str]) -> Iterator[tuple[str, str]]:
    for kind in ID_KINDS:
        value = cells.get(kind, "")
        if kind == "moodle":  # "Participant 4711"
            value = value.rpartition(" ")[2]
        if value:
            yield kind, value
    if cells.get("id"):
        yield "sid", cells.get("sid") or cells["id"]
