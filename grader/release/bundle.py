"""The student bundle: skeletons, public checks, the engine; nothing that tells.

What is shipped is named here, file by file and folder by folder: a new part of
the project is in no bundle until somebody puts it on the list.
"""

from __future__ import annotations

import io
import re
import string
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import grader
from grader.course import COURSE_FILE, Course
from grader.errors import CourseError
from grader.lang import LANGUAGES, spoken
from grader.lang.catalogue import DOMAIN
from grader.lang.upkeep import student_catalogue
from grader.release import leaks, manifest
from grader.release.manifest import File, Manifest
from grader.session.naming.recorded import RECORDED, student_toml
from grader.skeleton_notebooks import FOLDER, course_notebooks
from grader.skeletons import course_skeletons

HERE = Path(__file__).resolve().parent
ENGINE = (
    "__init__.py", "__main__.py", "atomic.py", "course.py", "dates.py", "errors.py",
    "notebook.py", "results.py", "submission.py", "versions.py",
    "commands/__init__.py", "commands/check.py", "commands/console.py",
    "commands/doctor.py", "commands/handin.py", "commands/update.py",
    "commands/watch.py",
    "release/__init__.py", "release/manifest.py", "release/update.py",
    "release/handin.py",
    "cli", "gradebook", "intake", "isolation", "lang", "locale", "quiz", "report",
    "session", "wire", "worker",
)  # fmt: skip
KINDS = frozenset(
    ".py .toml .md .txt .ini .json .html .j2 .css .js .svg .ipynb .bin .po "
    ".typed".split()
)
TEXTS = ("docs/notation.md", "LICENSE", "constraints.txt")
PLACES = {"check.yml": ".github/workflows/check.yml"}  # of a template
STAMP = (2020, 1, 1, 0, 0, 0)  # the same input gives the same bytes


def contents(course: Course, recorded: dict[str, bytes]) -> dict[str, bytes]:
    """Every file of the bundle but its manifest, by its name in the bundle.

    Args:
        course: what is released.
        recorded: for an exercise, the recorded answers of its mistakes.

    Raises:
        CourseError: a public suite or a skeleton is missing, or something of
            the teaching side would be in the bundle.
    """
    engine = {f"grader/{name}": data for name, data in _engine()}
    files = {n: d for n, d in _course_files(course) if not _is_draft(course, n)}
    files |= dict(_texts(course))
    mistakes = course.folders.mistakes
    for name, data in recorded.items():
        folder = course.folder("mistakes") / name
        files[f"{mistakes}/{name}/mistakes.toml"] = student_toml(folder, data)
        files[f"{mistakes}/{name}/{RECORDED}"] = data
    secret = leaks.secret_lines(course)
    found = leaks.find(files, secret) + leaks.find(engine, leaks.unmistakable(secret))
    if found:
        raise CourseError(f"no bundle was written: {found[0]} ({len(found)} in all).")
    return dict(sorted({**engine, **files}.items()))


def _engine() -> Iterator[tuple[str, bytes]]:
    package = Path(grader.__file__).parent
    for part in ENGINE:
        path = package / part
        paths = [path] if path.suffix else sorted(path.rglob("*"))
        for file in paths:
            if file.suffix in KINDS:
                yield file.relative_to(package).as_posix(), file.read_bytes()


def _course_files(course: Course) -> Iterator[tuple[str, bytes]]:
    yield COURSE_FILE, (course.root / COURSE_FILE).read_bytes()
    folders = course.folders
    # A sheet lies there too, and a teacher may have tried it: made files win.
    for path in sorted(course.folder("exercises").glob("*")):
        if path.suffix in (".toml", ".md") and path.name != "ruff.toml":
            yield f"{folders.exercises}/{path.name}", path.read_bytes()
    for path, text in course_skeletons(course).items():
        yield f"{folders.exercises}/{path.name}", text.encode()
    for path, text in course_notebooks(course).items():
        yield f"{folders.exercises}/{FOLDER}/{path.name}", text.encode()
    for pattern in ("public_*.py", "kit_*.py"):
        for path in sorted(course.folder("suites").glob(pattern)):
            yield f"{folders.suites}/{path.name}", path.read_bytes()
    for language in LANGUAGES[1:]:
        catalogue = student_catalogue(course, language)
        if catalogue:
            yield f"{folders.locale}/{language}/{DOMAIN}", catalogue
    for path in sorted(course.folder("quiz").glob("questions_*.toml")):
        yield f"{folders.quiz}/{path.name}", path.read_bytes()


def _is_draft(course: Course, name: str) -> bool:
    """True for a file of an exercise that students do not get yet."""
    drafts = [e.name for e in course.exercises.values() if e.draft]
    kinds = ("", "public_", "kit_", "questions_")
    return PurePosixPath(name).stem in {f"{k}{d}" for k in kinds for d in drafts}


def _texts(course: Course) -> Iterator[tuple[str, bytes]]:
    first = next(e.name for e in course.select(None))
    words = {
        "title": course.title,
        "title_zh": course.title_zh or course.title,
        "lang": "" if spoken() == "en" else f" --lang {spoken()}",
        "name": course.name,
        "version": course.version,
        "exercises": course.folders.exercises,
        "first": first,
    }
    for template in sorted((HERE / "templates").glob("*")):
        text = _of_course(course, template.read_text(encoding="utf-8"))
        if template.name == "requirements.txt":
            text = requirements(course)
        name = PLACES.get(template.name, template.name)
        yield name, string.Template(text).substitute(words).encode()
    project = HERE.parents[1]
    for name in TEXTS:
        path = project / name
        if path.exists():
            yield name, path.read_bytes()


def _of_course(course: Course, text: str) -> str:
    """Without what is about torch, where a course does not use it."""
    if "torch" in course.libraries:
        return re.sub(r"<!-- (?:torch|end) -->\n", "", text)
    return re.sub(r"\n<!-- torch -->\n.*?<!-- end -->\n", "", text, flags=re.DOTALL)


def requirements(course: Course) -> str:
    """Ranges of what has to be installed, without torch where none is used."""
    text = (HERE / "templates" / "requirements.txt").read_text(encoding="utf-8")
    lines = text.splitlines(keepends=True)
    uses = "torch" in course.libraries
    return "".join(s for s in lines if uses or not s.startswith("torch"))


def is_yours(course: Course, name: str) -> bool:
    """True for a file that the student writes in."""
    return name.startswith(f"{course.folders.exercises}/")


def write(course: Course, folder: Path, recorded: dict[str, bytes]) -> Path:
    """Write ``<course>-student-<version>.zip`` into ``folder``; its path.

    Raises:
        CourseError: see ``contents``.
    """
    files = contents(course, recorded)
    listed = {
        name: File(manifest.digest(data), is_yours(course, name))
        for name, data in files.items()
    }
    made = Manifest(1, course.name, course.version, grader.__version__, listed)
    target = folder / f"{course.name}-student-{course.version}.zip"
    folder.mkdir(parents=True, exist_ok=True)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in {**files, manifest.NAME: manifest.encode(made)}.items():
            info = zipfile.ZipInfo(f"{course.name}/{name}", STAMP)
            info.external_attr = 0o644 << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, data)
    target.write_bytes(buffer.getvalue())
    return target
