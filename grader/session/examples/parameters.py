"""What the parameters of a call are named, for who reads an example of it.

Where the solution is at hand its names are used; a student's own machine has
none, and there their own source tells. It is read and never run.
"""

from __future__ import annotations

import ast
import contextlib
import inspect
from types import ModuleType

from grader.session.journal import Call
from grader.submission import Source
from grader.worker.notebook import needs_transform, transform

Function = ast.FunctionDef | ast.AsyncFunctionDef


def names_of(call: Call, reference: ModuleType | None, source: Source) -> list[str]:
    """A name for each argument of ``call``; "argument 1" where none is known."""
    plain = [f"argument {i}" for i in range(1, len(call.args) + 1)]
    if reference is not None:
        found = _of_module(call, reference)
    else:
        found = _of_source(call, source)
    found = [n for n in found if n != "self"][: len(plain)]
    return found + plain[len(found) :]


def _of_module(call: Call, reference: ModuleType) -> list[str]:
    if call.target[0] == "student":
        target = getattr(reference, str(call.target[-1]), None)
        method = target.__init__ if inspect.isclass(target) else target
    else:
        name = str(call.target[-1]) or "forward"
        owners = [v for v in vars(reference).values() if inspect.isclass(v)]
        ours = [v for v in owners if v.__module__ == reference.__name__]
        method = next((getattr(v, name) for v in ours if hasattr(v, name)), None)
    return list(inspect.signature(method).parameters) if callable(method) else []


def _of_source(call: Call, source: Source) -> list[str]:
    name = str(call.target[-1])
    body = [node for text in _texts(source) for node in _statements(text)]
    classes = [node for node in body if isinstance(node, ast.ClassDef)]
    if call.target[0] == "student":
        inits = [c for c in classes if c.name == name]
        found = _functions(body, name) or _methods(inits, "__init__")
    else:
        found = _methods(classes, name or "forward")
    if not found:
        return []
    # As in Python: what is defined last counts.
    arguments = found[-1].args
    return [a.arg for a in (*arguments.posonlyargs, *arguments.args)]


def _texts(source: Source) -> list[str]:
    if source.kind == "py":
        return [source.text]
    return [transform(c) if needs_transform(c) else c for c in source.cells]


def _statements(text: str) -> list[ast.stmt]:
    with contextlib.suppress(SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.parse(text).body
    return []


def _functions(body: list[ast.stmt], name: str) -> list[Function]:
    return [n for n in body if isinstance(n, Function) and n.name == name]


def _methods(classes: list[ast.ClassDef], name: str) -> list[Function]:
    return [f for c in classes for f in _functions(c.body, name)]
