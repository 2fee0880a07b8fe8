"""All mutants of a solution: each is its text with one small change in it."""

from __future__ import annotations

import ast
import copy
import hashlib
from collections import Counter
from collections.abc import Iterator

import msgspec

from grader import skeletons
from grader.mutants import plain, statements, tensors
from grader.mutants.changes import Change, Operator

OPERATORS: tuple[Operator, ...] = (*plain.OPERATORS, *tensors.OPERATORS)
ATOMS = (ast.Name, ast.Constant, ast.Call, ast.Attribute, ast.Subscript, ast.List)


class Mutant(msgspec.Struct):
    """One changed solution.

    ``was`` and ``becomes`` are the statement concerned, before and after.
    """

    exercise: str
    digest: str
    function: str
    line: int
    was: str
    becomes: str
    text: str = ""

    def diff(self) -> str:
        """The change as a person reads it."""
        head = f"@@ line {self.line}, {self.function} @@"
        minus = [f"- {line}" for line in self.was.splitlines()]
        plus = [f"+ {line}" for line in self.becomes.splitlines()]
        return "\n".join([head, *minus, *plus])


def mutants_of(exercise: str, text: str) -> list[Mutant]:
    """Every mutant of the solution ``text``, in the order of its lines.

    Only what stands between the marks is changed. No two have the same syntax
    tree, and none has that of the solution.
    """
    scene = _Scene(text)
    seen = {scene.shape}
    twice: Counter[tuple[str, str, str]] = Counter()
    found = []
    for change in scene.changes():
        mutated = scene.apply(change)
        shape = _shape(mutated)
        if shape is None or shape in seen:
            continue
        seen.add(shape)
        function, line, was = scene.place(change.node)
        becomes = scene.statement_after(change)
        twice[function, was, becomes] += 1
        words = [function, was, becomes, str(twice[function, was, becomes])]
        digest = hashlib.sha256("\0".join(words).encode()).hexdigest()[:12]
        found.append(Mutant(exercise, digest, function, line, was, becomes, mutated))
    return sorted(found, key=lambda m: m.line)


def sample(mutants: list[Mutant], count: int) -> list[Mutant]:
    """``count`` of them, the same ones as long as the solution stays."""
    return sorted(mutants, key=lambda m: m.digest)[:count]


def _shape(text: str) -> str | None:
    """The syntax tree as text; None where ``text`` is no Python."""
    try:
        return ast.dump(ast.parse(text))
    except SyntaxError:
        return None


class _Scene:
    """A solution's text, its tree, and what of it may be changed."""

    def __init__(self, text: str) -> None:
        self.tree = ast.parse(text)
        self.shape = ast.dump(self.tree)
        self._bytes = text.encode()
        self._starts = [0]
        for line in self._bytes.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))
        self._blocks = [(b.first + 1, b.last + 1) for b in skeletons.find_blocks(text)]
        self._parents = {
            child: node
            for node in ast.walk(self.tree)
            for child in ast.iter_child_nodes(node)
        }

    def changes(self) -> Iterator[Change]:
        """Every change that some operator knows, between the marks."""
        for node in ast.walk(self.tree):
            if isinstance(node, statements.Function):
                yield from filter(self._is_ours, statements.dropped(node))
            if not self._is_left_alone(node):
                for operator in OPERATORS:
                    yield from filter(self._is_ours, operator(node))

    def _is_ours(self, change: Change) -> bool:
        first, last = change.node.lineno, change.node.end_lineno  # type: ignore[attr-defined]
        return any(begin < first and last < end for begin, end in self._blocks)

    def _is_left_alone(self, node: ast.AST) -> bool:
        """Texts for people, annotations, and what has no place in the text."""
        child = node
        while (parent := self._parents.get(child)) is not None:
            if isinstance(parent, ast.JoinedStr):
                return True
            if isinstance(parent, ast.Raise) and parent.exc is child:
                return True
            if isinstance(parent, ast.Expr) and isinstance(child, ast.Constant):
                return True
            if child in (
                getattr(parent, "annotation", None),
                getattr(parent, "returns", None),
            ):
                return True
            child = parent
        return False

    def apply(self, change: Change) -> str:
        """The solution's text with ``change`` in it."""
        start, end = self._span(change.node)
        new = self._words(change).encode()
        return (self._bytes[:start] + new + self._bytes[end:]).decode()

    def _words(self, change: Change) -> str:
        if change.new is None:
            return "pass"
        words = ast.unparse(ast.fix_missing_locations(copy.deepcopy(change.new)))
        parent = self._parents[change.node]
        loose = isinstance(change.new, ast.expr) and not isinstance(change.new, ATOMS)
        bare = isinstance(parent, ast.stmt | ast.keyword | ast.comprehension)
        if loose and not bare and not isinstance(change.new, ast.Tuple | ast.Slice):
            return f"({words})"
        return words

    def _span(self, node: ast.AST) -> tuple[int, int]:
        """First byte and end of ``node``."""
        start = self._starts[node.lineno - 1] + node.col_offset  # type: ignore[attr-defined]
        end = self._starts[node.end_lineno - 1] + node.end_col_offset  # type: ignore[attr-defined]
        return start, end

    def place(self, node: ast.AST) -> tuple[str, int, str]:
        """Its function, its line, and the statement it stands in, as text."""
        names = []
        at: ast.AST | None = node
        while at is not None:
            if isinstance(at, ast.FunctionDef | ast.ClassDef):
                names.append(at.name)
            at = self._parents.get(at)
        line: int = node.lineno  # type: ignore[attr-defined]
        return ".".join(reversed(names)), line, _head(self._statement(node))

    def _statement(self, node: ast.AST) -> ast.stmt:
        while not isinstance(node, ast.stmt):
            node = self._parents[node]
        return node

    def statement_after(self, change: Change) -> str:
        """The statement of ``change`` with it made."""
        if change.new is None or isinstance(change.new, ast.stmt):
            return "pass" if change.new is None else _head(change.new)
        statement = self._statement(change.node)
        return _head(_Swap(change.node, change.new).visit(copy_tree(statement)))


class _Swap(ast.NodeTransformer):
    """Puts a new node where the old one stood (found by its place and kind)."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self._old = _key(old)
        self._new = new
        self._done = False

    def visit(self, node: ast.AST) -> ast.AST:
        """``node``, or what takes its place."""
        if not self._done and _key(node) == self._old:
            self._done = True
            return self._new
        return self.generic_visit(node)


def _key(node: ast.AST) -> tuple[object, ...]:
    ends = ("lineno", "col_offset", "end_lineno", "end_col_offset")
    return (type(node), *(getattr(node, name, None) for name in ends))


def copy_tree(node: ast.stmt) -> ast.stmt:
    """A copy that may be changed."""
    return copy.deepcopy(node)


def _head(statement: ast.AST) -> str:
    """The text of a statement, of a compound one its first line alone."""
    words = ast.unparse(ast.fix_missing_locations(statement))
    return words.splitlines()[0] if hasattr(statement, "body") else words
