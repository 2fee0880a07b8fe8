"""Operators that fit any Python: numbers, comparisons, branches, loops, order."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from grader.mutants.changes import Change, altered, call, exchanged, without

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.GtE),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Div,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.MatMult: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
HUGE = 1000  # one more or less than that changes nothing that anybody sees
ORDER_MATTERS = (ast.Sub, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.MatMult)


def constants(node: ast.AST) -> Iterator[Change]:
    """A number one more or less (a huge one modest), a flag turned, a text emptied."""
    if not isinstance(node, ast.Constant):
        return
    value = node.value
    if isinstance(value, bool):
        yield Change(node, altered(node, value=not value))
    elif isinstance(value, int | float):
        near = (value + 1, value - 1)
        for other in near if abs(value) < HUGE else (1.0,):
            yield Change(node, altered(node, value=other))
    elif isinstance(value, str) and value:
        yield Change(node, altered(node, value=""))


def comparisons(node: ast.AST) -> Iterator[Change]:
    """``<`` for ``<=``, ``==`` for ``!=``, and so on."""
    if isinstance(node, ast.Compare):
        for i, operator in enumerate(node.ops):
            for other in COMPARISONS[type(operator)]:
                changed = [*node.ops[:i], other(), *node.ops[i + 1 :]]
                yield Change(node, altered(node, ops=changed))


def arithmetic(node: ast.AST) -> Iterator[Change]:
    """Another operator, one side alone, both sides exchanged."""
    if not isinstance(node, ast.BinOp):
        return
    other = ARITHMETIC.get(type(node.op))
    if other is not None:
        yield Change(node, altered(node, op=other()))
    yield Change(node, node.left)
    yield Change(node, node.right)
    if isinstance(node.op, ORDER_MATTERS):
        yield Change(node, altered(node, left=node.right, right=node.left))


def signs(node: ast.AST) -> Iterator[Change]:
    """A minus, a not or a ``~`` dropped."""
    if isinstance(node, ast.UnaryOp):
        yield Change(node, node.operand)


def logic(node: ast.AST) -> Iterator[Change]:
    """``and`` for ``or``, or one operand left out."""
    if isinstance(node, ast.BoolOp):
        other = ast.Or if isinstance(node.op, ast.And) else ast.And
        yield Change(node, altered(node, op=other()))
        for i in range(len(node.values)):
            rest = without(node.values, i)
            new = rest[0] if len(rest) == 1 else altered(node, values=rest)
            yield Change(node, new)


def branches(node: ast.AST) -> Iterator[Change]:
    """A test negated, or one branch taken always."""
    if isinstance(node, ast.If | ast.While | ast.IfExp):
        if not _has_an_opposite(node.test):
            yield Change(node.test, ast.UnaryOp(op=ast.Not(), operand=node.test))
    if isinstance(node, ast.If | ast.IfExp):
        yield Change(node.test, ast.Constant(value=True))
        yield Change(node.test, ast.Constant(value=False))
    if isinstance(node, ast.comprehension):
        for test in node.ifs:
            yield Change(test, ast.Constant(value=True))


def _has_an_opposite(test: ast.expr) -> bool:
    """``a is b`` has ``a is not b``, which comparisons make anyhow."""
    simple = (ast.Eq, ast.NotEq, ast.Is, ast.IsNot, ast.In, ast.NotIn)
    return (
        isinstance(test, ast.Compare)
        and len(test.ops) == 1
        and isinstance(test.ops[0], simple)
    )


def loops(node: ast.AST) -> Iterator[Change]:
    """No turn, the first turn alone, all in reverse; break for continue."""
    if isinstance(node, ast.For | ast.comprehension):
        listed = call("list", node.iter)
        first = ast.Slice(upper=ast.Constant(value=1))
        yield Change(node.iter, ast.List(elts=[], ctx=ast.Load()))
        yield Change(node.iter, ast.Subscript(listed, first, ast.Load()))
        yield Change(node.iter, call("reversed", listed))
    elif isinstance(node, ast.Break):
        yield Change(node, ast.Continue())
    elif isinstance(node, ast.Continue):
        yield Change(node, ast.Break())


def sequences(node: ast.AST) -> Iterator[Change]:
    """Neighbours of a tuple or list exchanged, returned or taken apart."""
    if isinstance(node, ast.Tuple | ast.List):
        for i in range(len(node.elts) - 1):
            yield Change(node, altered(node, elts=exchanged(node.elts, i)))
    elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple):
        # A slice cannot stand in a tuple of its own: the whole is written anew.
        for i in range(len(node.slice.elts) - 1):
            axes = altered(node.slice, elts=exchanged(node.slice.elts, i))
            yield Change(node, altered(node, slice=axes))


def slices(node: ast.AST) -> Iterator[Change]:
    """A bound dropped, or the whole slice moved by its own length."""
    if not isinstance(node, ast.Slice):
        return
    lower, upper = node.lower, node.upper
    if lower is not None:
        yield Change(node, altered(node, lower=None))
    if upper is not None:
        yield Change(node, altered(node, upper=None))
    if lower is not None and upper is not None:
        width = ast.BinOp(upper, ast.Sub(), lower)
        after = ast.BinOp(upper, ast.Add(), width)
        before = ast.BinOp(lower, ast.Sub(), width)
        yield Change(node, altered(node, lower=upper, upper=after))
        yield Change(node, altered(node, lower=before, upper=lower))


def assignments(node: ast.AST) -> Iterator[Change]:
    """``+=`` becomes ``-=`` (and so on), or ``=``."""
    if isinstance(node, ast.AugAssign):
        other = ARITHMETIC.get(type(node.op))
        if other is not None:
            yield Change(node, altered(node, op=other()))
        new = ast.Assign(targets=[node.target], value=node.value)
        yield Change(node, ast.copy_location(new, node))


def raised(node: ast.AST) -> Iterator[Change]:
    """Another class of exception."""
    if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
        yield Change(node.exc.func, ast.Name(id="RuntimeError", ctx=ast.Load()))


OPERATORS = (
    constants,
    comparisons,
    arithmetic,
    signs,
    logic,
    branches,
    loops,
    sequences,
    slices,
    assignments,
    raised,
)
