"""``course.toml`` as typed, validated data."""

from __future__ import annotations

import difflib
import tomllib
from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec

from grader.dates import Assignment, Dates, Rules, resolve
from grader.errors import CourseError

COURSE_FILE = "course.toml"
KINDS = ("code", "lab", "quiz")


class Strict(msgspec.Struct, forbid_unknown_fields=True):
    """A table of course.toml: keys that are not named here are refused."""


class Folders(Strict):
    """Where the course's parts lie, relative to course.toml."""

    solutions: str = "solutions"
    exercises: str = "exercises"
    suites: str = "suites"
    mistakes: str = "mistakes"
    variants: str = "variants"
    quiz: str = "quiz"
    locale: str = "locale"


class Policy(Strict):
    """What is taken off and what is shown."""

    near_name_deduction: Decimal = Decimal(10)
    hidden_feedback: str = "full"
    comparisons: bool = False  # run what labs compare, also when many are graded
    quiz_explanations: bool = False
    least_checks: int = 8  # of a code exercise; validate finds fault with fewer


class Limits(Strict):
    """CPU seconds and memory of student code; walls are multiples of CPU."""

    check_cpu_s: float = 2.0
    import_cpu_s: float = 10.0
    check_factor: float = 20.0
    wall_factor: float = 5.0
    submission_cpu_s: float = 120.0
    memory_mib: int = 2048


class Chapter(Strict):
    """A step of the story that groups exercises."""

    id: str
    title: str
    title_zh: str = ""


class Exercise(Strict):
    """One thing to write, in one file ``<name>.py``."""

    name: str
    chapter: str
    title: str
    section: str
    asks: list[str] = msgspec.field(default_factory=list)
    title_zh: str = ""
    points: Decimal = Decimal(100)
    kind: str = "code"  # "code" | "lab" | "quiz"
    cpu_s: float | None = None
    draft: bool = False  # being written: validate alone takes it without its name


class _File(Strict):
    schema: int
    name: str
    title: str
    exercises: list[Exercise]
    version: str = "0"
    title_zh: str = ""
    libraries: list[str] = msgspec.field(default_factory=lambda: ["torch", "numpy"])
    folders: Folders = msgspec.field(default_factory=Folders)
    policy: Policy = msgspec.field(default_factory=Policy)
    limits: Limits = msgspec.field(default_factory=Limits)
    chapters: list[Chapter] = msgspec.field(default_factory=list)
    dates: Dates = msgspec.field(default_factory=Dates)
    assignments: list[Assignment] = msgspec.field(default_factory=list)


class Course:
    """A course on disk. ``root`` is the folder that holds course.toml."""

    def __init__(self, root: Path, data: _File) -> None:
        self.root = root
        self.name = data.name
        self.title = data.title
        self.title_zh = data.title_zh
        self.version = data.version
        self.libraries = data.libraries
        self.policy = data.policy
        self.limits = data.limits
        self.chapters = data.chapters
        self.exercises = {e.name: e for e in data.exercises}
        self.folders = data.folders
        self.dates = data.dates
        self.assignments = {a.name: a for a in data.assignments}

    def folder(self, part: str) -> Path:
        """The folder of ``part`` ("solutions", "suites", ...), absolute."""
        return self.root / str(getattr(self.folders, part))

    @property
    def quizzes(self) -> list[str]:
        """The exercises that are answered in a sheet and marked without a worker."""
        return [e.name for e in self.exercises.values() if e.kind == "quiz"]

    def suite_paths(self, exercise: str) -> list[Path]:
        """The suites that are here: public first, hidden when it exists."""
        base = self.folder("suites")
        paths = [base / f"{kind}_{exercise}.py" for kind in ("public", "hidden")]
        return [p for p in paths if p.exists()]

    def select(self, names: list[str] | None) -> list[Exercise]:
        """The exercises called ``names`` (all but drafts when empty), in order.

        Raises:
            CourseError: a name is unknown; the near ones are offered.
        """
        for name in names or []:
            if name not in self.exercises:
                raise CourseError(_unknown("exercise", name, self.exercises))
        chosen = self.exercises.values()
        return [e for e in chosen if (e.name in names if names else not e.draft)]

    def rules(self, assignment: str) -> Rules:
        """The dates of ``assignment``.

        Raises:
            CourseError: it is unknown; the near ones are offered.
        """
        if assignment not in self.assignments:
            raise CourseError(_unknown("assignment", assignment, self.assignments))
        return resolve(self.dates, self.assignments[assignment])


def load_course(root: Path) -> Course:
    """Read and validate ``root/course.toml``.

    Raises:
        CourseError: it is missing, not TOML, or holds a wrong or unknown key.
    """
    path = root / COURSE_FILE
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as e:
        raise CourseError(
            f"{root} has no {COURSE_FILE}; name the course's folder with --course."
        ) from e
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as e:
        raise CourseError(f"{path} cannot be read as TOML: {e}.") from e
    _refuse_unknown(raw, _File, path, "")
    try:
        data = msgspec.convert(raw, _File)
    except msgspec.ValidationError as e:
        raise CourseError(f"{path}: {e}.") from e
    _validate(data, path)
    return Course(root.resolve(), data)


def _validate(data: _File, path: Path) -> None:
    names = [e.name for e in data.exercises]
    if len(set(names)) != len(names):
        twice = next(n for n in names if names.count(n) > 1)
        raise CourseError(f"{path}: exercise {twice!r} is listed twice.")
    chapters = {c.id for c in data.chapters}
    for e in data.exercises:
        if not e.name.isidentifier():
            raise CourseError(f"{path}: {e.name!r} is not a valid module name.")
        if e.kind not in KINDS:
            raise CourseError(
                f"{path}: exercise {e.name}: " + _unknown("kind", e.kind, KINDS)
            )
        if e.chapter not in chapters:
            raise CourseError(
                f"{path}: exercise {e.name}: "
                + _unknown("chapter", e.chapter, chapters)
            )
    _validate_dates(data, path)
    if data.policy.hidden_feedback not in ("full", "verdict"):
        raise CourseError(f'{path}: hidden_feedback is "full" or "verdict".')


def _validate_dates(data: _File, path: Path) -> None:
    exercises = {e.name: e for e in data.exercises}
    names = [a.name for a in data.assignments]
    # Without an assignment the rules of [dates] are still looked at.
    for assignment in data.assignments or [Assignment("")]:
        name = assignment.name
        where = f"{path}: assignment {name!r}" if name else f"{path}: [dates]"
        if names.count(name) > 1:
            raise CourseError(f"{where} is listed twice.")
        for exercise in assignment.exercises:
            if exercise not in exercises:
                raise CourseError(
                    f"{where}: {_unknown('exercise', exercise, exercises)}"
                )
        try:
            resolve(data.dates, assignment)
        except ValueError as e:
            raise CourseError(f"{where}: {e}.") from e


def _unknown(what: str, name: str, known: Any) -> str:
    near = difflib.get_close_matches(name, list(known), n=3, cutoff=0.5)
    listed = ", ".join(near or sorted(known))
    if not listed:
        return f"unknown {what} {name!r}; there is none yet."
    return f"unknown {what} {name!r}; did you mean: {listed}?"


def _refuse_unknown(raw: Any, kind: Any, path: Path, where: str) -> None:
    """Name an unknown key and its nearest known one (msgspec names only the key)."""
    if not isinstance(raw, dict):
        return
    fields = {f.encode_name: f.type for f in msgspec.structs.fields(kind)}
    for key, value in raw.items():
        if key not in fields:
            raise CourseError(f"{path}: {where}" + _unknown("key", key, fields))
        inner = fields[key]
        args = getattr(inner, "__args__", ())
        if isinstance(value, list) and args and hasattr(args[0], "__struct_fields__"):
            for item in value:
                _refuse_unknown(item, args[0], path, f"[[{key}]] ")
        elif hasattr(inner, "__struct_fields__"):
            _refuse_unknown(value, inner, path, f"[{key}] ")
