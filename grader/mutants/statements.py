"""Statements dropped, where the rest still runs."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from grader.mutants.changes import Change

Function = ast.FunctionDef | ast.AsyncFunctionDef


def dropped(function: Function) -> Iterator[Change]:
    """Each statement of ``function`` dropped, where no name goes missing by it.

    A name that nothing else binds would be an exception at its next use: that
    every check sees, so it says nothing about a suite.
    """
    bound = _parameters(function)
    for statement in _in_order(function.body):
        names = _names_set(statement)
        if _may_go(statement, names, bound):
            yield Change(statement, None)
        bound |= names


def _may_go(statement: ast.stmt, names: set[str], bound: set[str]) -> bool:
    if isinstance(statement, ast.Expr):
        return not isinstance(statement.value, ast.Constant)  # a docstring
    if isinstance(statement, ast.Assign):
        whole = any(isinstance(t, ast.Attribute) for t in statement.targets)
        return not whole and names <= bound
    if isinstance(statement, ast.For | ast.With | ast.If | ast.While | ast.Try):
        return names <= bound
    return isinstance(statement, ast.AugAssign | ast.Raise | ast.Delete | ast.Assert)


def _parameters(function: Function) -> set[str]:
    given = function.args
    every = [*given.posonlyargs, *given.args, *given.kwonlyargs]
    every += [a for a in (given.vararg, given.kwarg) if a is not None]
    return {a.arg for a in every}


def _names_set(statement: ast.stmt) -> set[str]:
    """Plain names that ``statement`` binds, in its blocks too."""
    return {
        node.id
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }


def _in_order(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in body:
        yield statement
        if not isinstance(statement, Function | ast.ClassDef):
            for part in ("body", "orelse", "finalbody"):
                yield from _in_order(getattr(statement, part, []))
