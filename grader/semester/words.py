"""Decisions in a line, for the terminal and the log."""

from __future__ import annotations

from typing import Any

import msgspec

from grader.dates import Rules
from grader.gradebook import New
from grader.semester import assignment


def words(new: New) -> str:
    """What is decided about whom, and why."""
    about = "/".join(filter(None, (new.exercise, new.check)))
    what = _value(new.kind, new.value) if new.revokes is None else str(new.revokes)
    parts = (new.kind.replace("_", " "), new.submission, about, what)
    return " ".join(filter(None, parts)) + f": {new.reason}"


def _value(kind: str, value: dict[str, Any]) -> str:
    match kind:
        case "extend":
            if value["excused"]:
                return "excused"
            return value["until"] or f"by {value['days']} days"
        case "void":
            full = value["mode"] == "full"
            return "with full points for all" if full else "out of the maximum"
        case "adjust":
            points = str(value["points"])
            if not value["relative"]:
                return f"to {points}"
            return points if points.startswith("-") else f"+{points}"
        case "comment":
            return f'"{value["text"]}"'
        case "alias":
            return f"{value['name']} counts as {value['asked']}"
        case "time_factor":
            return f"x {value['factor']}"
        case "dates":
            rules = msgspec.convert(value, Rules)
            return f"{rules.assignment} ({assignment.words(rules)})"
        case "roster":
            return f"of {value['people']} people"
        case "purge":
            return f"of {value['people']} people before {value['before']}"
        case "publish":
            return value["section"] and f"section {value['section']}"
        case _:
            return ""
