"""``new course`` and ``new exercise``: a working start."""

from __future__ import annotations

import shlex
from pathlib import Path

from grader.errors import UsageError
from grader.scaffold import continue_course, new_course, new_exercise

LIBRARIES = ("torch", "numpy")


def course(folder: Path, old: Path | None, libraries: str) -> int:
    """Write a new course, or next year's of ``old``; 0, or an error is raised.

    Args:
        folder: where to write.
        old: the course to continue.
        libraries: what the workers have warm, with commas.
    """
    if old is not None:
        made = continue_course(folder, old)
        print(f"{folder}: {len(made.exercises)} exercises, version {made.version};")
        print("deadlines are taken out, and a new gradebook draws a new seed.")
    else:
        wanted = [name.strip() for name in libraries.split(",") if name.strip()]
        unknown = [name for name in wanted if name not in LIBRARIES]
        if unknown or not wanted:
            raise UsageError(f"libraries are {' and '.join(LIBRARIES)}, not {unknown}.")
        made = new_course(folder, wanted)
        print(f"{folder}: a course with one exercise, {next(iter(made.exercises))}.")
    print(f"Next: python -m grader validate --course {shlex.quote(str(folder))}")
    return 0


def exercise(root: Path, name: str) -> int:
    """Write the files of a new exercise; 0, or an error is raised."""
    for path in new_exercise(root, name):
        print(path.relative_to(root))
    print(f"Next: python -m grader validate {name}, then write your own in its place.")
    return 0
