"""Recorded answers of all named mistakes: in several processes, and kept.

    python -m grader.release.recording [NAME]... [--course DIR] --json

What was recorded is kept beside the bundles under a digest of everything that
it depends on, so that the next release records only what has changed.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec

import grader
from grader import spread
from grader.atomic import write_atomically
from grader.course import COURSE_FILE, Course
from grader.versions import library_versions

MODULE = "grader.release.recording"
FOLDER = ".recorded"
ENGINE = ("session", "worker", "wire", "results.py", "submission.py", "course.py")


def exercises_of(course: Course, asked: list[str] | None = None) -> list[str]:
    """Those that have named mistakes."""
    folder = course.folder("mistakes")
    chosen = [e.name for e in course.select(asked)]
    return [name for name in chosen if (folder / name / "mistakes.toml").exists()]


def record_mistakes(
    course: Course, names: list[str], jobs: int = 1, kept: Path | None = None
) -> dict[str, bytes]:
    """Answers of every named mistake on the public cases, by exercise.

    Args:
        course: what is released.
        names: exercises, see ``exercises_of``.
        jobs: processes; with one, they are recorded in this one.
        kept: folder of what was recorded before; None: keep nothing.

    Raises:
        GraderError: a suite is broken, no worker can be started, ...
    """
    places = {name: _place(course, name, kept) for name in names}
    known = {n: p.read_bytes() for n, p in places.items() if p and p.exists()}
    missing = [name for name in names if name not in known]
    for found in _recorded(course, missing, min(jobs, len(missing))):
        for name, data in found.items():
            known[name] = data
            if place := places[name]:
                _keep(place, name, data)
    return {name: known[name] for name in names}


def _recorded(
    course: Course, names: list[str], jobs: int
) -> Iterator[dict[str, bytes]]:
    if jobs > 1:
        command = [MODULE, "--course", str(course.root)]
        for out in spread.in_processes(command, names, jobs):
            yield msgspec.json.decode(out, type=dict[str, bytes])
    elif names:
        yield _in_session(course, names)


def _in_session(course: Course, names: list[str]) -> dict[str, bytes]:
    from grader.session.naming.recorded import record
    from grader.session.start import Session

    found: dict[str, bytes] = {}
    with Session(course, names, "none", public_only=True) as session:

        def work(grader):  # type: ignore[no-untyped-def]
            for name in names:
                print(f"recording the mistakes of {name}", file=sys.stderr)
                found[name] = record(grader, name)

        session.run(work)
    return found


def _place(course: Course, name: str, kept: Path | None) -> Path | None:
    if kept is None:
        return None
    return kept / FOLDER / f"{name}-{fingerprint(course, name)}.bin"


def _keep(place: Path, name: str, data: bytes) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    for old in place.parent.glob(f"{name}-*.bin"):
        old.unlink()
    write_atomically(place, data)


def fingerprint(course: Course, name: str) -> str:
    """A digest of all that the answers of the mistakes of ``name`` depend on."""
    engine = Path(grader.__file__).parent
    suites = course.folder("suites")
    paths = [
        *(p for part in ENGINE for p in _sources(engine / part)),
        course.root / COURSE_FILE,
        course.folder("solutions") / f"{name}.py",
        *(suites / f"{kind}_{name}.py" for kind in ("public", "kit")),
        *sorted((course.folder("mistakes") / name).glob("*.*")),
    ]
    digest = hashlib.sha256(repr(library_versions(course)).encode())
    for path in paths:
        data = path.read_bytes() if path.is_file() else b""
        digest.update(f"{path.name} {len(data)}\n".encode() + data)
    return digest.hexdigest()[:16]


def _sources(path: Path) -> list[Path]:
    return [path] if path.suffix else sorted(path.glob("**/*.py"))


def main(argv: list[str] | None = None) -> int:
    """Print what was recorded as JSON, bytes in base 64; 0."""
    options = spread.parser(MODULE).parse_args(argv)
    course, names, _ = spread.asked(options)
    found = _in_session(course, names)
    sys.stdout.buffer.write(msgspec.json.encode(found) + b"\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
