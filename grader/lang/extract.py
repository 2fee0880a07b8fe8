"""All words that have to be translated, found in the sources themselves.

Ours: calls of ``_`` and ``plural``, the tables of words, what pages say, and the
sentences that results are made of (f-strings become templates: ``shape {0}``).
The course's: sentences of checks, hints, names of what is compared, sections.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from grader.course import Course
from grader.lang.skeleton import words_of
from grader.skeletons import find_blocks, make_skeleton

PACKAGE = Path(__file__).resolve().parents[1]
# Where sentences of results and warnings are made.
SENTENCES = (
    "session/expect*.py", "session/failing.py", "session/show.py",
    "session/verdict.py", "session/grade.py", "session/runner.py",
    "session/student.py", "session/beginnings.py", "session/totals.py",
    "session/workers/sandbox.py", "session/workers/faults.py",
    "session/workers/exchange.py", "session/workers/worker.py",
    "session/workers/fresh.py", "session/examples/example.py",
    "worker/notebook.py", "worker/patience.py", "wire/*.py",
    "intake/zips.py", "intake/tars.py", "intake/archive.py", "intake/entrynames.py",
    "intake/build.py", "intake/opening.py", "intake/sources.py", "intake/times.py",
    "intake/notebooks.py", "intake/names.py", "intake/choose.py", "intake/tree.py",
    "intake/detect.py", "intake/gittime.py", "intake/ids.py", "intake/layouts/*.py",
    "batch/plan.py",
    "gradebook/final.py", "quiz/marking.py", "quiz/reading.py", "course.py",
    "commands/check.py",
)  # fmt: skip
# Tables of words: every text in them is shown.
TABLES = ("report/words.py",)
CALLS = (
    "report", "commands", "release", "isolation", "notebook.py",
    "skeleton_notebooks.py",
)  # fmt: skip
SHOWN = ("what", "hint", "expected", "got")
# Patterns, paths, and words between programs.
_INNER = re.compile(
    r"/proc|\\|[(\[^]\?|\.git |utf-8 |^In \[|DID NOT|raise Not|lock down|^#|^:|\.py \."
    r"|^make check|^python -m "
)
_WORD = re.compile(r"[A-Za-z]{2,}")
# ``scores.grad``, ``h_n``, ``{0}.grad``: names in code are the same everywhere.
_CODE = re.compile(r"[\w{}]*[._][\w{}.]*")

Message = str | tuple[str, str]  # counted ones have two forms
Found = dict[Message, str]  # message -> where it stands first


def our_words() -> Found:
    """What is ours to translate."""
    found: Found = {}
    for name in CALLS:
        for path in _sources(PACKAGE / name):
            _add(found, _called(_tree(path)), path.relative_to(PACKAGE))
    for path in sorted((PACKAGE / "report/templates").glob("*.html")):
        _add(found, _page(path), path.relative_to(PACKAGE))
    for name in TABLES:
        _add(found, _texts(_tree(PACKAGE / name)), Path(name))
    for path in (p for name in SENTENCES for p in sorted(PACKAGE.glob(name))):
        texts = (t for t in _texts(_tree(path)) if _is_sentence(t))
        _add(found, texts, path.relative_to(PACKAGE))
    return found


def course_words(course: Course, public_only: bool = False) -> Found:
    """What is the course's to translate: suites, skeletons, sections.

    ``public_only``: what a student's ``check`` may say, no hidden check and no
    skeleton, which is translated before it is handed out.

    Titles in course.toml, mistakes and quizzes have both languages themselves. A
    draft is translated when it is finished.
    """
    found: Found = {}
    sections = [e.section for e in course.select(None) if e.section]
    _add(found, sections, Path("course.toml"))
    for name in (e.name for e in course.select(None)):
        for path in course.suite_paths(name):
            if not (public_only and path.name.startswith("hidden_")):
                _add(found, _suite(_tree(path)), Path(path.name))
        solution = course.folder("solutions") / f"{name}.py"
        if solution.exists() and not public_only:
            text = solution.read_text(encoding="utf-8")
            tasks = [block.task for block in find_blocks(text, solution.name)]
            words = words_of(make_skeleton(text, solution.name)) + tasks
            _add(found, words, Path(solution.name))
    return found


def _add(found: Found, messages: Iterable[Message], where: Path) -> None:
    for message in messages:
        found.setdefault(message, where.as_posix())


def _sources(path: Path) -> list[Path]:
    return [path] if path.suffix else sorted(path.rglob("*.py"))


def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _called(tree: ast.AST) -> Iterator[Message]:
    """Arguments of ``_`` and ``plural``."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        texts = [a.value for a in node.args if isinstance(a, ast.Constant)]
        words = [t for t in texts if isinstance(t, str)]
        if node.func.id == "_" and words:
            yield words[0]
        elif node.func.id == "plural" and len(words) >= 2:
            yield words[0], words[1]


def _page(path: Path) -> Iterator[Message]:
    from jinja2 import Environment

    env = Environment(extensions=["jinja2.ext.i18n"])
    text = path.read_text(encoding="utf-8")
    for _, _, message in env.extract_translations(text):  # type: ignore[attr-defined]
        if isinstance(message, str):
            yield message


def template(node: ast.expr) -> str | None:
    """The text of a string or f-string, its values as ``{0}``, ``{1}`` ...

    What begins with a blank is added to other text: that gets a place as well.
    """
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        parts: list[str | None] = [node.value]
    elif isinstance(node, ast.JoinedStr):
        parts = [
            str(v.value) if isinstance(v, ast.Constant) else None for v in node.values
        ]
    else:
        return None
    if parts and parts[0] is not None and parts[0].startswith(" "):
        parts.insert(0, None)
    out, place = "", 0
    for part in parts:
        if part is None:
            out += f"{{{place}}}"
            place += 1
        else:
            out += part
    return out


def _texts(tree: ast.Module) -> Iterator[str]:
    """Every string of a module but its docstrings and what stands in f-strings."""
    skipped: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            skipped.update(map(id, node.keys))
        if isinstance(node, ast.JoinedStr):
            skipped.update(id(n) for n in ast.walk(node) if n is not node)
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and isinstance(body[0], ast.Expr):
            skipped.add(id(body[0].value))
    for node in ast.walk(tree):
        if isinstance(node, ast.expr) and id(node) not in skipped:
            text = template(node)
            if text is not None and _WORD.search(re.sub(r"\{\d+\}", "", text)):
                yield text


def _is_sentence(text: str) -> bool:
    """Words that are shown, as far as form tells them from names and patterns."""
    if "}{" in text or text.endswith(" ") or text.count("(") != text.count(")"):
        return False  # parts of a sentence: where one value ends cannot be told
    return " " in text.strip() and not _INNER.search(text)


def _suite(tree: ast.Module) -> Iterator[str]:
    """Sentences, hints and names in one suite."""
    for statement in tree.body:
        if isinstance(statement, ast.Assign):
            text = template(statement.value)
            if text is not None and " " in text:
                yield text
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("check_"):
            doc = (ast.get_docstring(node) or "").strip().splitlines()
            yield from doc[:1]
        elif isinstance(node, ast.Call):
            yield from _told(_arguments(node))
        elif isinstance(node, ast.Assign):  # what = f"{name} after training"
            names = [t.id for t in node.targets if isinstance(t, ast.Name)]
            yield from _told([node.value] if {*names} & {*SHOWN} else [])


def _arguments(call: ast.Call) -> list[ast.expr]:
    """What a call of ``expect`` or of the mark ``hint`` tells the student."""
    shown = [k.value for k in call.keywords if k.arg in SHOWN]
    if isinstance(call.func, ast.Attribute) and call.func.attr == "hint":
        shown += call.args
    return shown


def _told(shown: Iterable[ast.expr]) -> Iterator[str]:
    for node in shown:
        text = template(node)
        if text is None or _CODE.fullmatch(text):
            continue
        if _WORD.search(re.sub(r"\{\d+\}", "", text)):
            yield text
