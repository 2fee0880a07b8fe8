"""The autograder zip for Gradescope: engine, course and two scripts at its root."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

import grader
from grader.course import COURSE_FILE, Course
from grader.release.bundle import KINDS, STAMP, requirements

HERE = Path(__file__).resolve().parent
SCRIPTS = ("setup.sh", "run_autograder")
LEFT_OUT = frozenset({"suites", "mistakes", "bench", "mutants", "__pycache__"})
ISOLATION = "pyseccomp>=0.1.2\n"  # of workers; a student's own machine has none
PARTS = ("solutions", "suites", "mistakes", "quiz", "locale")


def contents(course: Course) -> dict[str, bytes]:
    """Every file of the zip by its name."""
    scripts = HERE / "gradescope_files"
    files = {name: (scripts / name).read_bytes() for name in SCRIPTS}
    files["requirements.txt"] = (requirements(course) + ISOLATION).encode()
    files |= {f"grader/{name}": data for name, data in _engine()}
    files |= {f"course/{name}": data for name, data in _course(course)}
    return files


def _engine() -> Iterator[tuple[str, bytes]]:
    package = Path(grader.__file__).parent
    for path in sorted(package.rglob("*")):
        name = path.relative_to(package)
        if path.is_file() and not LEFT_OUT & {*name.parts}:
            if path.suffix in KINDS or path.suffix in (".sh", ""):
                yield name.as_posix(), path.read_bytes()


def _course(course: Course) -> Iterator[tuple[str, bytes]]:
    yield COURSE_FILE, (course.root / COURSE_FILE).read_bytes()
    for part in PARTS:
        folder = course.folder(part)
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.suffix in KINDS:
                yield path.relative_to(course.root).as_posix(), path.read_bytes()


def write(course: Course, folder: Path) -> Path:
    """Write ``<course>-gradescope-<version>.zip`` into ``folder``; its path."""
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{course.name}-gradescope-{course.version}.zip"
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in contents(course).items():
            info = zipfile.ZipInfo(name, STAMP)
            info.external_attr = (0o755 if name in SCRIPTS else 0o644) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, data)
    target.write_bytes(buffer.getvalue())
    return target
