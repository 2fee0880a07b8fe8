"""Who stands behind a submission: the roster's word before the hand-in's."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

import msgspec

from grader.gradebook import rows
from grader.gradebook.decisions import Standing


class Person(msgspec.Struct, frozen=True):
    """Who stands behind a submission.

    ``group`` are names as the hand-in gave them, ``mates`` the same people where
    the roster knows them.
    """

    id: str
    name: str = ""
    email: str = ""
    ids: dict[str, str] = msgspec.field(default_factory=dict)
    group: list[str] = msgspec.field(default_factory=list)
    section: str = ""
    mates: list[Person] = msgspec.field(default_factory=list)


class Enrolled(msgspec.Struct, frozen=True):
    """One line of a roster. ``submission`` is the id that their hand-ins have."""

    id: str
    name: str = ""
    email: str = ""
    section: str = ""
    team: str = ""
    ids: dict[str, str] = msgspec.field(default_factory=dict)
    submission: str = ""


def save_roster(
    db: sqlite3.Connection, decision: int, people: Sequence[Enrolled]
) -> None:
    """Keep the roster that ``decision`` brought."""
    db.executemany(
        "INSERT INTO roster VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                decision,
                p.id,
                p.name,
                p.email,
                p.section,
                p.team,
                msgspec.json.encode(p.ids).decode(),
                p.submission,
            )
            for p in people
        ],
    )


def roster(db: sqlite3.Connection, standing: Standing) -> list[Enrolled]:
    """The roster in force, by id; empty without one."""
    found = db.execute(
        "SELECT person_id, name, email, section, team, ids, submission_id FROM roster "
        "WHERE decision_id = ? ORDER BY person_id",
        (standing.roster,),
    )
    return [
        Enrolled(who, name, email, section, team, msgspec.json.decode(ids), submission)
        for who, name, email, section, team, ids, submission in found
    ]


def people(db: sqlite3.Connection, standing: Standing) -> dict[str, Person]:
    """Everybody who counts now, by submission id."""
    enrolled: dict[str, list[Enrolled]] = {}
    for person in roster(db, standing):
        if person.submission:
            enrolled.setdefault(person.submission, []).append(person)
    ids: dict[str, dict[str, str]] = {}
    # Somebody may have handed in through two systems: each knows its own numbers.
    for who, text in db.execute("SELECT submission_id, facts FROM handins ORDER BY id"):
        facts = msgspec.json.decode(text, type=rows.Handin)
        ids.setdefault(who, {}).update(facts.ids)
    found = {}
    for who, name, email, text in db.execute(
        "SELECT c.submission_id, h.name, h.email, h.facts FROM current c "
        "JOIN gradings g ON g.id = c.grading_id JOIN handins h ON h.id = g.handin_id"
    ):
        facts = msgspec.json.decode(text, type=rows.Handin)
        said = Person(who, name, email, ids[who], facts.group)
        found[who] = _known(said, enrolled.get(who, []))
    return found


def _known(said: Person, enrolled: list[Enrolled]) -> Person:
    if not enrolled:
        return said
    mates = [Person(p.id, p.name, p.email, p.ids, section=p.section) for p in enrolled]
    if len(mates) == 1:
        one = mates[0]
        return msgspec.structs.replace(
            said,
            name=one.name or said.name,
            email=one.email or said.email,
            ids={**said.ids, **one.ids},
            section=one.section,
        )
    return msgspec.structs.replace(
        said,
        name=", ".join(p.name or p.id for p in mates),
        section=mates[0].section,
        mates=mates,
    )
