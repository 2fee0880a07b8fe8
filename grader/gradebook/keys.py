"""Resume keys: equal keys mean that grading again would give the same result.

A key is made of the submission's bytes and of everything of ours that decides
about one exercise. Our part is hashed once for a batch, so that a key costs a
few microseconds a student.
"""

from __future__ import annotations

import hashlib
import json
import platform
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import msgspec

import grader
from grader.course import Course, Limits
from grader.quiz.model import answers_path, questions_path
from grader.versions import library_versions

# What decides about points within our own package. Intake, reports, exports and
# the gradebook do not: they may change without grading anything again.
ENGINE = (
    "wire", "results.py", "submission.py", "quiz", "session", "worker", "isolation",
)  # fmt: skip
KEY_LENGTH = 40
IMPORT = re.compile(r"^[ \t]*(?:from|import)\b(.+(?:\n[ \t].*)*)", re.MULTILINE)
WORD = re.compile(r"\w+")


def engine_digest() -> str:
    """Hash of the sources that decide about points."""
    root = Path(grader.__file__).parent
    return _hash_files(root, (f for part in ENGINE for f in _sources(root / part)))


class KeyMaker:
    """Makes the resume keys of one batch."""

    def __init__(
        self,
        course: Course,
        *,
        isolation: str,
        seed: str,
        limits: Limits | None = None,
        versions: Mapping[str, str] | None = None,
        engine: str | None = None,
    ) -> None:
        """``limits``, ``versions`` and ``engine`` default to what is true here."""
        self.versions = dict(versions or library_versions(course))
        self.versions["engine"] = (engine or engine_digest())[:12]
        common = {
            "versions": {k: v for k, v in self.versions.items() if k != "grader"},
            "machine": platform.machine(),
            "isolation": isolation,
            "seed": seed,
            "limits": msgspec.to_builtins(limits or course.limits, str_keys=True),
            "policy": str(course.policy.near_name_deduction),
        }
        if course.policy.comparisons:
            common["comparisons"] = True
        base = hashlib.sha256(json.dumps(common, sort_keys=True).encode())
        self._materials = {
            name: _exercise_digest(course, name, base.copy())
            for name in course.exercises
        }

    def key(self, submission_digest: str, exercise: str, extra: str = "") -> str:
        """The key of one exercise of one hand-in.

        ``extra`` holds what is special about this student (a time factor, an
        alias); it is empty for nearly all.
        """
        text = f"{submission_digest}\0{exercise}\0{extra}\0"
        mine = self._materials[exercise]
        return hashlib.sha256(text.encode() + mine).hexdigest()[:KEY_LENGTH]


def _exercise_digest(course: Course, name: str, total: hashlib._Hash) -> bytes:
    exercise = msgspec.to_builtins(course.exercises[name], str_keys=True)
    deciding = ("name", "points", "kind", "cpu_s", "asks")
    facts = {k: str(exercise[k]) for k in deciding}
    total.update(json.dumps(facts, sort_keys=True).encode())
    total.update(_hash_files(course.root, exercise_files(course, name)).encode())
    return total.digest()


def exercise_files(course: Course, name: str) -> list[Path]:
    """Every file of the course that decides about exercise ``name``.

    Its suites, kit, solution and mistakes, what those import from the course's
    folders, helpers in the suites' folder that belong to no exercise, and the
    questions and answers of a quiz.
    """
    suites, solutions = course.folder("suites"), course.folder("solutions")
    mine = [
        suites / f"public_{name}.py",
        suites / f"hidden_{name}.py",
        suites / f"kit_{name}.py",
        solutions / f"{name}.py",
    ]
    owned = {
        f"{kind}_{e}.py"
        for kind in ("public", "hidden", "kit")
        for e in course.exercises
    }
    mine += [p for p in _sources(suites) if p.name not in owned]
    mine += _sources(course.folder("mistakes") / name)
    mine += [questions_path(course, name), answers_path(course, name)]
    found = [p for p in mine if p.is_file()]
    return sorted(_with_imports(found, [suites, solutions]))


def _with_imports(paths: list[Path], folders: list[Path]) -> set[Path]:
    done: set[Path] = set()
    todo = list(paths)
    while todo:
        path = todo.pop()
        if path in done:
            continue
        done.add(path)
        for module in _imported(path):
            near = (folder / f"{module}.py" for folder in folders)
            todo += [p for p in near if p not in done and p.is_file()]
    return done


def _imported(path: Path) -> set[str]:
    """Every word on an import line: more than is imported, never less."""
    text = path.read_text(encoding="utf-8", errors="replace")
    return {word for line in IMPORT.findall(text) for word in WORD.findall(line)}


def _sources(path: Path) -> Iterator[Path]:
    if path.is_file():
        yield path
    elif path.is_dir():
        for inner in sorted(path.rglob("*")):
            if inner.is_file() and "__pycache__" not in inner.parts:
                yield inner


def _hash_files(root: Path, paths: Iterable[Path]) -> str:
    total = hashlib.sha256()
    for path in paths:
        name = path.relative_to(root) if path.is_relative_to(root) else path.name
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        total.update(f"{name}\0{digest}\n".encode())
    return total.hexdigest()
