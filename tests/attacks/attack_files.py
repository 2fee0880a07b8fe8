"""Hostile submissions as files: a manifest in the docstring, the attack below it.

tries   what it does, in words
stops   the layers or the rule that stop it
seen    what is taken away so that it is seen to work ("none": all isolation;
        the others are functions of ``attack_weaken``)
mark    what it leaves when it succeeds, see ``MARKS``
points  the only honest result, of 100
reason  what the message of a check that failed must say (a pattern)
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

SUBMISSIONS = Path(__file__).parent / "submissions"
MARKS = {
    "said": "the secret, or word of success, stands in the result",
    "file": "a file was made",
    "connection": "a connection arrived",
    "process": "a process is left",
    "points": "more points than the honest ones",
    "verdict": "other points than the honest ones",
    "lost": "no result, or one that blames the grader",
    "stall": "the session was busy for long after the answer was there",
    "memory": "the session took much memory",
    "flood": "the result is megabytes long",
    "neighbour": "the result of another submission is another",
}


@dataclass(frozen=True)
class Attack:
    """One hostile submission."""

    kind: str
    name: str
    text: str
    tries: str
    stops: str
    seen: tuple[str, ...]
    mark: str
    points: int
    reason: str = ""

    def __str__(self) -> str:
        return f"{self.kind}/{self.name}"


def load(path: Path) -> Attack:
    text = path.read_text(encoding="utf-8")
    _, doc, _ = text.split('"""', 2)
    facts = tomllib.loads(doc.split("\n\n", 1)[1])
    facts["seen"] = tuple(facts["seen"])
    return Attack(path.parent.name, path.stem, text, **facts)


ATTACKS = [load(path) for path in sorted(SUBMISSIONS.glob("*/*.py"))]
