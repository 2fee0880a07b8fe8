"""Operators that know tensors: dims, masks, graphs, calls that come in pairs."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from grader.mutants.changes import Change, altered, exchanged, name_of, without

# One function for another that honest people mix up with it.
TWINS = {
    "min": ("max",),
    "max": ("min",),
    "amax": ("amin",),
    "amin": ("amax",),
    "argmax": ("argmin",),
    "argmin": ("argmax",),
    "minimum": ("maximum",),
    "maximum": ("minimum",),
    "any": ("all",),
    "all": ("any",),
    "sum": ("mean", "prod"),
    "mean": ("sum",),
    "median": ("mean",),
    "prod": ("sum",),
    "tanh": ("sigmoid", "relu"),
    "sigmoid": ("tanh",),
    "softmax": ("log_softmax", "sigmoid"),
    "log_softmax": ("softmax",),
    "zeros": ("ones",),
    "ones": ("zeros",),
    "zeros_like": ("ones_like",),
    "ones_like": ("zeros_like",),
    "log": ("log2", "log1p"),
    "exp": ("exp2", "expm1"),
    "sqrt": ("square",),
    "square": ("sqrt",),
    "cumsum": ("cumprod",),
    "cumprod": ("cumsum",),
    "startswith": ("endswith",),
    "append": ("extend",),
    "no_grad": ("enable_grad",),
    "index_add_": ("index_copy_",),
    "scatter_add_": ("scatter_",),
    "randn": ("rand",),
    "floor": ("ceil",),
    "ceil": ("floor",),
    "mul_": ("div_",),
    "add_": ("sub_",),
}
SYMMETRIC = ("transpose", "swapaxes", "swapdims", "minimum", "maximum", "add", "mul")
SYMMETRIC_BUILTINS = ("max", "min")
# Exchanging what these take is an exception at once, which every check sees.
NEVER_EXCHANGED = ("isinstance", "getattr", "setattr", *SYMMETRIC)
VIEWS = ("T", "mT", "H", "mH")
MODULES = ("torch", "nn", "F", "math", "np", "numpy", "functional", "rnn", "utils")


def dims(node: ast.AST) -> Iterator[Change]:
    """A dim given by name becomes the last one, or the first."""
    if not isinstance(node, ast.Call):
        return
    for keyword in node.keywords:
        if keyword.arg in ("dim", "axis") and isinstance(keyword.value, ast.Name):
            for dim in (-1, 0):
                yield Change(keyword.value, ast.Constant(value=dim))


def keywords(node: ast.AST) -> Iterator[Change]:
    """A keyword argument left out: keepdim, dim, batch_first, dtype."""
    if isinstance(node, ast.Call):
        for i, keyword in enumerate(node.keywords):
            if keyword.arg is not None:
                rest = without(node.keywords, i)
                yield Change(node, altered(node, keywords=rest))


def arguments(node: ast.AST) -> Iterator[Change]:
    """Neighbouring arguments exchanged, the last of several left out."""
    if not isinstance(node, ast.Call) or name_of(node.func) in NEVER_EXCHANGED:
        return
    if any(isinstance(a, ast.Starred) for a in node.args):
        return
    builtin = isinstance(node.func, ast.Name) and node.func.id in SYMMETRIC_BUILTINS
    for i in range(0 if builtin else len(node.args) - 1):
        yield Change(node, altered(node, args=exchanged(node.args, i)))
    if len(node.args) > 1:
        yield Change(node, altered(node, args=node.args[:-1]))


def steps(node: ast.AST) -> Iterator[Change]:
    """A step of a chain dropped: ``x.detach()`` is ``x``, ``tanh(x)`` is ``x``."""
    if isinstance(node, ast.Attribute) and node.attr in VIEWS:
        yield Change(node, node.value)
    if not isinstance(node, ast.Call):
        return
    function = node.func
    if isinstance(function, ast.Attribute) and not _is_module(function.value):
        yield Change(node, function.value)
    elif len(node.args) >= 1 and not isinstance(node.args[0], ast.Starred):
        if not (isinstance(function, ast.Name) and function.id == "super"):
            yield Change(node, node.args[0])


def _is_module(value: ast.expr) -> bool:
    name = name_of(value)
    return name in MODULES or name == "super" or _is_super(value)


def _is_super(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and name_of(value.func) == "super"


def twins(node: ast.AST) -> Iterator[Change]:
    """A function for its twin: min for max, sum for mean, tanh for sigmoid."""
    if isinstance(node, ast.Call):
        for other in TWINS.get(name_of(node.func), ()):
            if isinstance(node.func, ast.Attribute):
                yield Change(node.func, altered(node.func, attr=other))
            elif isinstance(node.func, ast.Name) and other in ("min", "max"):
                yield Change(node.func, altered(node.func, id=other))
            elif isinstance(node.func, ast.Name) and other in ("any", "all"):
                yield Change(node.func, altered(node.func, id=other))


def masks(node: ast.AST) -> Iterator[Change]:
    """The mask of a fill inverted."""
    if isinstance(node, ast.Call) and name_of(node.func) in (
        "masked_fill",
        "masked_fill_",
        "where",
        "masked_select",
    ):
        at = len(node.args) - 2 if name_of(node.func) != "masked_select" else 0
        at = 0 if name_of(node.func) == "where" else at
        if 0 <= at < len(node.args):
            inverted = ast.UnaryOp(op=ast.Invert(), operand=node.args[at])
            yield Change(node.args[at], inverted)


OPERATORS = (dims, keywords, arguments, steps, twins, masks)
