"""``release``: write what students get."""

from __future__ import annotations

from pathlib import Path

from grader.commands.console import print_json
from grader.course import load_course


def run(root: Path, out: Path, without_names: bool, jobs: int, json: bool) -> int:
    """Write the student bundle; always 0, or an error is raised.

    Args:
        root: folder of the course.
        out: folder to write into.
        without_names: leave out the recorded answers of the mistakes.
        jobs: processes that record them.
        json: print JSON.
    """
    from grader.release import bundle
    from grader.release.recording import exercises_of, record_mistakes

    course = load_course(root)
    recorded: dict[str, bytes] = {}
    if not without_names:
        recorded = record_mistakes(course, exercises_of(course), jobs, kept=out)
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
