"""Skeletons in another language: docstrings and TODOs are translated, code is not.

A docstring is cut into blocks that make sense alone: a paragraph, the head of a
section, an argument with its continuation lines. Formulas, set off by their
indent, stay as they are.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass

from grader.lang.current import sentence, spoken
from grader.quiz.sheet import wrap

WIDTH = 79
_HEAD = re.compile(r"(?:Args|Returns|Raises|Yields|Note):")
_ENTRY = re.compile(
    r"(?:\w+(?:, \w+)*|\([\w', ]+\)): "
)  # ``h_n: ...``, ``(h_n, c_n): ...``
TRY = "Try it: make check EX={0}"
# What is the same in every language: names, shapes, dtypes.
_BARE = re.compile(r"``[^`]*``|\([^()]*\)|^[\w, ]+:|\bint64\b|\bfloat(?:32|64)?\b")


@dataclass(frozen=True)
class Piece:
    """Some lines of a docstring: ``text`` is joined, or verbatim where not ``told``."""

    text: str
    indent: int = 0
    told: bool = True


def pieces(docstring: str) -> list[Piece]:
    """The blocks of a docstring; an empty text is a blank line."""
    found: list[Piece] = []
    section, open_ = "", False
    for line in inspect.cleandoc(docstring).splitlines():
        text, indent = line.strip(), len(line) - len(line.lstrip())
        last = found[-1] if found else None
        if not text:
            found.append(Piece("", told=False))
            open_ = False
            continue
        if _HEAD.fullmatch(text):
            section, open_ = text, False
            found.append(Piece(text, indent))
            continue
        if indent == 0:
            section = ""
        if indent and not section:
            found.append(Piece(text, indent, told=False))
            open_ = False
        elif open_ and last and _goes_on(last, text, indent, section):
            found[-1] = Piece(f"{last.text} {text}", last.indent)
        else:
            found.append(Piece(text, indent))
            open_ = True
    return found


def _goes_on(last: Piece, text: str, indent: int, section: str) -> bool:
    """Whether a line continues the piece before it."""
    if indent > last.indent or not section:
        return True
    return section == "Returns:" and not _ENTRY.match(text)


def docstrings(source: str) -> Iterator[ast.Constant]:
    """The nodes of all docstrings of a module, those without escapes."""
    for node in ast.walk(ast.parse(source)):
        body = getattr(node, "body", None)
        if (
            not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
            or not body
        ):
            continue
        first = body[0]
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
            if isinstance(first.value.value, str) and "\\" not in first.value.value:
                yield first.value


def words_of(source: str) -> list[str]:
    """What there is to translate in the docstrings of a skeleton."""
    texts = [p.text for n in docstrings(source) for p in pieces(str(n.value)) if p.told]
    return [
        TRY if t.startswith(TRY.partition("{")[0]) else t for t in texts if _is_told(t)
    ]


def _is_told(text: str) -> bool:
    return bool(_HEAD.fullmatch(text) or re.search("[a-z]{3}", _BARE.sub("", text)))


def translated(source: str) -> str:
    """The skeleton ``source`` in the language that is spoken."""
    if spoken() == "en":
        return source
    lines = source.splitlines()
    for node in sorted(docstrings(source), key=lambda n: -n.lineno):
        assert node.end_lineno is not None
        text = _docstring(str(node.value), node.col_offset)
        lines[node.lineno - 1 : node.end_lineno] = text
    return "\n".join(lines) + "\n"


def _docstring(text: str, margin: int) -> list[str]:
    start = " " * margin
    lines: list[str] = []
    for piece in pieces(text):
        said = sentence(piece.text) if piece.told else piece.text
        room = WIDTH - margin - piece.indent - (3 if not lines else 0)
        first, *rest = wrap(said, room) if piece.told else [said]
        lines.append(" " * piece.indent + first)
        deeper = piece.indent + (4 if piece.indent else 0)
        # Wrapped anew for its own indent: a continuation stands deeper.
        again = wrap("".join(_joined(rest)), WIDTH - margin - deeper) if rest else []
        lines += [" " * deeper + line for line in again]
    if len(lines) == 1 and len(lines[0]) < WIDTH - margin - 6:
        return [f'{start}"""{lines[0]}"""']
    whole = [start + '"""' + lines[0], *(start + x if x else "" for x in lines[1:])]
    return [*whole, start + '"""']


def _joined(lines: list[str]) -> Iterator[str]:
    """Put wrapped lines together again: a blank only between two words."""
    for at, line in enumerate(lines):
        before = lines[at - 1][-1:] if at else ""
        if before.isascii() and before and line[:1].isascii():
            yield " "
        yield line


def comment(task: str, indent: str) -> list[str]:
    """A TODO as comment lines, in the language that is spoken."""
    start = f"{indent}# "
    return [start + line for line in wrap(task, WIDTH - len(start))]
