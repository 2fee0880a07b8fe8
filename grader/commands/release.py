"""``release``: write what students get."""

from __future__ import annotations

import sys
from pathlib import Path

from grader.commands.console import print_json
from grader.course import load_course
from grader.session.start import Session


def run(root: Path, out: Path, without_names: bool, json: bool) -> int:
    """Write the student bundle; always 0, or an error is raised.

    Args:
        root: folder of the course.
        out: folder to write into.
        without_names: leave out the recorded answers of the mistakes.
        json: print JSON.
    """
    from grader.release import bundle

    course = load_course(root)
    recorded: dict[str, bytes] = {}
    if not without_names:
        recorded = record_mistakes(root)
    path = bundle.write(course, out, recorded)
    size = path.stat().st_size
    if json:
        print_json({"path": str(path), "version": course.version, "bytes": size})
        return 0
    print(f"{path} ({size / 1e6:.1f} MB), version {course.version}")
    print("Students unpack it and run: python -m grader check")
    return 0


def gradescope(root: Path, out: Path, json: bool) -> int:
    """Write the autograder zip; 0, or an error is raised."""
    from grader.release.gradescope import write

    course = load_course(root)
    path = write(course, out)
    size = path.stat().st_size
    if json:
        print_json({"path": str(path), "version": course.version, "bytes": size})
        return 0
    print(f"{path} ({size / 1e6:.1f} MB)")
    print("Upload it as the autograder of the assignment. It holds the solutions.")
    return 0


def record_mistakes(root: Path, exercises: list[str] | None = None) -> dict[str, bytes]:
    """Answers of every named mistake on the public cases, by exercise.

    Raises:
        GraderError: a suite is broken, no worker can be started, ...
    """
    from grader.session.recorded import record

    course = load_course(root)
    folder = course.folder("mistakes")
    names = [
        e.name
        for e in course.select(exercises)
        # A lab trains: its mistakes take minutes, and a student's run differs.
        if e.kind == "code" and (folder / e.name / "mistakes.toml").exists()
    ]
    found: dict[str, bytes] = {}
    if not names:
        return found
    with Session(course, names, "none", public_only=True) as session:

        def work(grader):  # type: ignore[no-untyped-def]
            for name in names:
                print(f"recording the mistakes of {name}", file=sys.stderr)
                found[name] = record(grader, name)

        session.run(work)
    return found
