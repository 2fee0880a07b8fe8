"""``new course`` and ``new exercise``: a working start."""

from __future__ import annotations

import shlex
from pathlib import Path

from grader.cli.options import course_around
from grader.commands.console import print_json
from grader.errors import UsageError
from grader.scaffold import continue_course, new_course, new_exercise

LIBRARIES = ("torch", "numpy")


def course(folder: Path, old: Path | None, libraries: str, json: bool) -> int:
    """Write a new course, or next year's of ``old``; 0, or an error is raised.

    Args:
        folder: where to write.
        old: the course to continue.
        libraries: what the workers have warm, with commas.
        json: print JSON.
    """
    if old is not None:
        made = continue_course(folder, old)
        told = (
            f"{folder}: {len(made.exercises)} exercises, version {made.version};\n"
            "deadlines are taken out, and a new gradebook draws a new seed."
        )
    else:
        wanted = [name.strip() for name in libraries.split(",") if name.strip()]
        unknown = [name for name in wanted if name not in LIBRARIES]
        if unknown or not wanted:
            raise UsageError(f"libraries are {' and '.join(LIBRARIES)}, not {unknown}.")
        made = new_course(folder, wanted)
        told = f"{folder}: a course with one exercise, {next(iter(made.exercises))}."
    if json:
        names = list(made.exercises)
        facts = {"path": str(folder), "version": made.version, "exercises": names}
        print_json(facts)
        return 0
    print(told)
    print(f"Next: python -m grader validate --course {shlex.quote(str(folder))}")
    return 0


def exercise(root: Path, name: str, json: bool) -> int:
    """Write the files of a new exercise; 0, or an error is raised."""
    files = [path.relative_to(root) for path in new_exercise(root, name)]
    if json:
        print_json({"exercise": name, "files": [path.as_posix() for path in files]})
        return 0
    for path in files:
        print(path)
    print("It is a draft: students get it when that line is out of course.toml.")
    around = course_around()
    where = "" if root == around else f" --course {shlex.quote(str(root))}"
    print(f"Next: python -m grader validate {name}{where}")
    print("then write your own in its place.")
    return 0
