"""What ``grade`` is called with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

BOOK = "gradebook.sqlite"


@dataclass
class Options:
    """What was asked for."""

    paths: list[Path]
    out: Path
    jobs: int
    isolation: str
    layout: str | None
    only: list[str]
    exercises: list[str]
    regrade: bool
    new_seed: bool
    scheduler: str
    json: bool
    plain: bool
    assignment: str = ""
    roster: Path | None = None
    times: Path | None = None
    stored: bool = False
    never_lower: bool = False
    dry_run: bool = False
