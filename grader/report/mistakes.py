"""Titles of named mistakes, read from the course's ``mistakes.toml`` files."""

from __future__ import annotations

import tomllib

from grader.course import Course


class MistakeTitles:
    """Looks a mistake's title up; each file is read once, when first needed."""

    def __init__(self, course: Course) -> None:
        self._folder = course.folder("mistakes")
        self._known: dict[str, dict[str, str]] = {}

    def title(self, exercise: str, mistake: str | None) -> str:
        """The noun phrase for ``mistake``, or its name in words without one."""
        if not mistake:
            return ""
        if exercise not in self._known:
            self._known[exercise] = self._read(exercise)
        return self._known[exercise].get(mistake, mistake.replace("_", " "))

    def _read(self, exercise: str) -> dict[str, str]:
        # A report must come out even where the mistakes are not shipped or
        # broken: validate is where a broken file is reported.
        if not exercise.isidentifier():
            return {}
        try:
            text = (self._folder / exercise / "mistakes.toml").read_text("utf-8")
            raw = tomllib.loads(text)
        except (OSError, ValueError):
            return {}
        return {
            name: str(entry["title"])
            for name, entry in raw.items()
            if isinstance(entry, dict) and "title" in entry
        }
