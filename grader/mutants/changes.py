"""What operators share: one small change of one node of a syntax tree."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Change:
    """``node`` of the solution becomes ``new``; None stands for ``pass``."""

    node: ast.AST
    new: ast.AST | None


# An operator looks at one node and yields the changes it knows for it.
Operator = Callable[[ast.AST], Iterator[Change]]


def altered(node: ast.AST, **fields: Any) -> Any:
    """A copy of ``node`` with other ``fields``; its children are shared."""
    twin = copy.copy(node)
    for name, value in fields.items():
        setattr(twin, name, value)
    return twin


def without(items: list[Any], index: int) -> list[Any]:
    """``items`` without the one at ``index``."""
    return items[:index] + items[index + 1 :]


def exchanged(items: list[Any], index: int) -> list[Any]:
    """``items`` with those at ``index`` and after it exchanged."""
    first, second = items[index : index + 2]
    return [*items[:index], second, first, *items[index + 2 :]]


def name_of(function: ast.expr) -> str:
    """The last part of what is called: ``softmax`` of ``torch.softmax``."""
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def call(name: str, *arguments: ast.expr) -> ast.Call:
    """The call of a builtin."""
    function = ast.Name(id=name, ctx=ast.Load())
    return ast.Call(func=function, args=list(arguments), keywords=[])
