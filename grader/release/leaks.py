"""Nothing of the teaching side may be in a bundle: every line of it is looked for."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from grader.course import Course
from grader.skeletons import find_blocks, make_skeleton

SHORTEST = 14  # characters; shorter lines ("return h, c") say nothing by themselves
UNMISTAKABLE = 32  # a shorter line of an exercise may stand in the engine by chance
# Lines of solutions that any program of the field has.
COMMONPLACE = frozenset(
    {
        "with torch.no_grad():",
        "return context, weights",
        "loss.backward()",
        "optimizer.step()",
        "optimizer.zero_grad()",
        "packed = pack_padded_sequence(",
        "self.embed(source), lengths, batch_first=True, enforce_sorted=False",
        "batch_first=True,",
        "enforce_sorted=False,",
        "super().__init__()",
    }
)


def secret_lines(course: Course) -> dict[str, str]:
    """Every telling line of the teaching side, with the file that it stands in."""
    public = _public_lines(course)
    secret: dict[str, str] = {}
    for path in sorted(course.folder("solutions").glob("*.py")):
        for line in _solved(path):
            secret.setdefault(line, path.name)
    for path in _hidden_files(course):
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.strip() not in public:
                secret.setdefault(line.strip(), path.name)
    return {s: name for s, name in secret.items() if _is_telling(s)}


def unmistakable(secret: dict[str, str]) -> dict[str, str]:
    """Of ``secret`` the lines that nobody writes twice by chance."""
    return {s: name for s, name in secret.items() if len(s) >= UNMISTAKABLE}


def _is_telling(line: str) -> bool:
    plain_import = line.startswith(("import ", "from "))
    return len(line) >= SHORTEST and line not in COMMONPLACE and not plain_import


def _solved(path: Path) -> list[str]:
    """What stands between a solution's marks and not in its skeleton."""
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines()
    blocks = find_blocks(text, str(path))
    shown = {line.strip() for line in make_skeleton(text, str(path)).splitlines()}
    inside = [s.strip() for b in blocks for s in lines[b.first + 1 : b.last]]
    return [s for s in inside if s not in shown]


def _hidden_files(course: Course) -> Iterable[Path]:
    yield from sorted(course.folder("suites").glob("hidden_*.py"))
    yield from sorted(course.folder("mistakes").glob("*/*.py"))
    yield from sorted(course.folder("quiz").glob("answers_*.toml"))


def _public_lines(course: Course) -> set[str]:
    """Lines that students get anyhow: public checks, kits, skeletons, questions."""
    suites, quiz = course.folder("suites"), course.folder("quiz")
    texts = [
        path.read_text(encoding="utf-8")
        for pattern in ("public_*.py", "kit_*.py")
        for path in suites.glob(pattern)
    ]
    texts += [p.read_text(encoding="utf-8") for p in quiz.glob("questions_*.toml")]
    texts += [
        make_skeleton(path.read_text(encoding="utf-8"), str(path))
        for path in course.folder("solutions").glob("*.py")
    ]
    return {line.strip() for text in texts for line in text.splitlines()}


def find(files: dict[str, bytes], secret: dict[str, str]) -> list[str]:
    """Sentences, one for each secret line that stands in one of ``files``."""
    found = []
    for name, data in files.items():
        if name.endswith((".pyc", ".pyo")):
            found.append(f"{name} is compiled code")
        for text in _texts(name, data):
            lines = {line.strip() for line in text.splitlines()}
            for line in sorted(lines & secret.keys()):
                found.append(f"{name} holds a line of {secret[line]}: {line}")
    return found


def _texts(name: str, data: bytes) -> list[str]:
    if name.endswith(".ipynb"):
        return list(_strings(json.loads(data)))
    if name.endswith(".bin"):
        data = zlib.decompress(data)
    return [data.decode("utf-8", "replace")]


def _strings(value: Any) -> Iterable[str]:
    """Every text inside a parsed JSON document; lists of lines joined."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list) and value and all(isinstance(v, str) for v in value):
        yield "".join(value)
    elif isinstance(value, list | dict):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _strings(item)
