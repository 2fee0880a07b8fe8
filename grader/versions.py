"""Versions of what decides numbers: engine, Python, pytest, the course's libraries."""

from __future__ import annotations

import platform
from importlib import metadata

from grader import __version__
from grader.course import Course


def library_versions(course: Course) -> dict[str, str]:
    """Python, pytest and the course's libraries as installed here."""
    found = {"grader": __version__, "python": platform.python_version()}
    for name in ("pytest", *course.libraries):
        found[name] = _version_of(name)
    return found


def _version_of(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return "unknown"
