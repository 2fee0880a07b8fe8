"""Write the files of a new course or exercise; nothing that exists is replaced."""

from __future__ import annotations

import keyword
import re
import shutil
import string
from pathlib import Path
from typing import Any

import tomlkit

from grader.atomic import write_atomically
from grader.course import COURSE_FILE, Course, load_course
from grader.errors import UsageError
from grader.lang.catalogue import po_path
from grader.lang.extract import course_words, our_words
from grader.lang.upkeep import updated
from grader.release.manifest import order
from grader.skeleton_notebooks import FOLDER, make_notebook
from grader.skeletons import make_skeleton

TEMPLATES = Path(__file__).resolve().parent / "templates"
FIRST, FIRST_ZH = "running_mean", "逐步平均"
DRAFT = "draft = true # in no bundle yet, and graded only by name\n"
PARTS = ("solutions", "exercises", "suites", "mistakes", "variants", "quiz", "locale")
# Template -> where it goes, by the part of the course.
FILES = {
    "solution.txt": ("solutions", "{name}.py"),
    "public.txt": ("suites", "public_{name}.py"),
    "hidden.txt": ("suites", "hidden_{name}.py"),
    "mistake.txt": ("mistakes", "{name}/divides_by_all.py"),
    "mistakes.txt": ("mistakes", "{name}/mistakes.toml"),
    "variant.txt": ("variants", "{name}/generator.py"),
}


def new_course(folder: Path, libraries: list[str]) -> Course:
    """A course with one exercise in ``folder``, which must be new or empty.

    Raises:
        UsageError: there is something in the folder.
    """
    _must_be_empty(folder)
    name = re.sub(r"[^\w-]+", "-", folder.resolve().name.lower()).strip("-") or "course"
    listed = ", ".join(f'"{library}"' for library in libraries)
    text = _filled("course.txt", name=name, libraries=listed)
    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(folder / COURSE_FILE, text.encode())
    new_exercise(folder, FIRST, draft=False)
    course = load_course(folder)
    _translate(course, FIRST)
    return course


def _translate(course: Course, name: str) -> None:
    """The catalogue of the first exercise, as ``python -m grader.lang`` writes it."""
    path = po_path(course.folder("locale"), "zh")
    path.parent.mkdir(parents=True, exist_ok=True)
    text = _filled("words.po", name=name, title=_title(name))
    write_atomically(path, text.encode())
    known = our_words()
    words = {m: w for m, w in course_words(course).items() if m not in known}
    text, _told = updated(path, words, "zh")
    write_atomically(path, text.encode())


def _must_be_empty(folder: Path) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} exists and is not empty; name a new folder.")


def new_exercise(root: Path, name: str, *, draft: bool = True) -> list[Path]:
    """The files of a new exercise, and its entry at the end of course.toml.

    Args:
        root: folder of the course.
        name: of its module.
        draft: students do not get it yet.

    Raises:
        UsageError: the name is no module's name, or something of it exists.
    """
    if not name.isidentifier() or keyword.iskeyword(name) or not name.isascii():
        raise UsageError(f"{name!r} is no name for a module; try letters, digits, _.")
    path = root / COURSE_FILE
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    raw = tomlkit.parse(text).unwrap()
    folders = _folders(raw)
    if name in {e["name"] for e in raw.get("exercises", [])}:
        raise UsageError(f"there is an exercise {name} already.")
    files = {
        root / folders[part] / where.format(name=name): _filled(
            template,
            name=name,
            title=_title(name),
            expect=_expect(raw),
            chapter=_chapter(raw),
        )
        for template, (part, where) in FILES.items()
    }
    solution = files[root / folders["solutions"] / f"{name}.py"]
    exercises = root / folders["exercises"]
    files[exercises / f"{name}.py"] = skeleton = make_skeleton(solution)
    files[exercises / FOLDER / f"{name}.ipynb"] = make_notebook(skeleton, name)
    for file in files:
        if file.exists():
            raise UsageError(f"{file} exists already; it is not replaced.")
    for file, content in files.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(file, content.encode())
    words = {"name": name, "title": _title(name), "chapter": _chapter(raw)}
    entry = _filled("entry.txt", title_zh=FIRST_ZH if not draft else name, **words)
    if draft:
        entry += DRAFT
    write_atomically(path, (text.rstrip("\n") + "\n\n" + entry).encode())
    return list(files)


def _title(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _folders(raw: dict[str, Any]) -> dict[str, str]:
    return {part: part for part in PARTS} | dict(raw.get("folders", {}))


def _chapter(raw: dict[str, Any]) -> str:
    chapters = raw.get("chapters")
    if not chapters:
        raise UsageError("course.toml has no [[chapters]]; an exercise belongs to one.")
    return str(chapters[-1]["id"])


def _expect(raw: dict[str, Any]) -> str:
    """The import of a suite: tensors where the course has torch, else arrays."""
    if "torch" in raw.get("libraries", ["torch"]):
        return "from grader.session import expect"
    return "from grader.session import expect_arrays as expect"


def _filled(template: str, **words: str) -> str:
    text = (TEMPLATES / template).read_text(encoding="utf-8")
    return string.Template(text).substitute(words)


def continue_course(folder: Path, old: Path) -> Course:
    """Next year's course: everything of ``old`` but its dates; a new version.

    The seed is drawn for each gradebook, so a new gradebook has a new one.

    Raises:
        UsageError: there is something in the folder.
        CourseError: ``old`` holds no course.
    """
    course = load_course(old)
    _must_be_empty(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for part in PARTS:
        source = course.folder(part)
        if source.is_dir():
            shutil.copytree(
                source,
                folder / str(getattr(course.folders, part)),
                ignore=shutil.ignore_patterns("__pycache__", "*.pyc", ".*"),
                dirs_exist_ok=True,
            )
    document = tomlkit.parse((old / COURSE_FILE).read_text(encoding="utf-8"))
    for assignment in document.get("assignments", []):
        assignment.pop("deadline", None)
    document["version"] = _next(course.version)
    write_atomically(folder / COURSE_FILE, tomlkit.dumps(document).encode())
    return load_course(folder)


def _next(version: str) -> str:
    """The first version of next year: "2026.3" -> "2027.1"."""
    numbers = order(version)
    return f"{numbers[0] + 1 if numbers else 1}.1"
