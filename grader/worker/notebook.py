"""Runs beside student code: a notebook's code cells, in order, without IPython's shell.

IPython's own transformer turns magics and shell lines into calls of
``get_ipython()``; what stands behind that name here runs none of them.
"""

from __future__ import annotations

import contextlib
import time
import types
from typing import Any

from grader.worker.patience import TookTooLongError, at_most
from grader.worker.texts import remember

# Cell magics whose body is Python that would have run.
PYTHON_CELLS = {"time", "timeit", "capture", "prun", "python3", "python"}
# First words of a cell that is about the notebook and no part of the answer.
NOT_GRADED = "# not graded"
LINE_BODY = {"time", "timeit", "prun"}
# Of the time for all cells; a cell that comes after it has passed gets so many s.
SHARE, LEAST_S = 0.6, 0.2


class QuietShell:
    """Stands in for ``get_ipython()``: takes every call, runs no command."""

    def __init__(self, namespace: dict[str, Any]) -> None:
        self.user_ns = namespace

    def run_line_magic(self, name: str, line: str, *args: Any, **kwargs: Any) -> Any:
        """``%time x = f()`` runs ``x = f()``; every other magic does nothing."""
        if name in LINE_BODY and line.strip():
            exec(compile(line, "<magic>", "exec"), self.user_ns)

    def run_cell_magic(self, name: str, line: str, cell: str) -> Any:
        """``%%time`` and its kind run their body; ``%%bash`` and such do not."""
        if name in PYTHON_CELLS:
            text = transform(cell)
            exec(compile(text, "<cell magic>", "exec"), self.user_ns)

    def system(self, command: str) -> None:
        """``!command`` does nothing."""

    def getoutput(self, command: str, *args: Any, **kwargs: Any) -> list[str]:
        """``x = !command`` gives an empty list."""
        return []

    def __getattr__(self, name: str) -> Any:
        return lambda *args, **kwargs: None


def transform(cell: str) -> str:
    """A cell's source as plain Python, by IPython's own transformer."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from IPython.core.inputtransformer2 import TransformerManager

        manager: Any = TransformerManager
        return str(manager().transform_cell(cell))


def needs_transform(cell: str) -> bool:
    """Plain cells, the most, need no transformer (and no IPython at all)."""
    marks = ("%", "!", "?", "get_ipython", "\u2028", ">>>", "In [")
    if not any(mark in cell for mark in marks):
        return False
    try:
        compile(cell, "<cell>", "exec")
    except (SyntaxError, ValueError):
        return True
    # It compiles: "%" is a remainder here, "!" part of "!=", unless a line
    # starts with a magic inside a string, which no transformer touches either.
    return False


def run_cells(
    module: types.ModuleType, cells: list[str], patience: list[float]
) -> list[str]:
    """Run every cell; a cell that fails is a warning, the next one still runs.

    So is one that takes too long: people train in a cell below their answer.

    Args:
        module: whose names the cells define.
        cells: sources, in order.
        patience: (CPU seconds, wall seconds) for all of them; empty: no end.

    Returns:
        one sentence for each cell that failed.
    """
    shell = QuietShell(module.__dict__)
    module.__dict__["get_ipython"] = lambda: shell
    module.__dict__["display"] = lambda *args, **kwargs: None
    failed = []
    cpu0, wall0 = time.process_time(), time.monotonic()
    for number, cell in enumerate(cells, 1):
        if cell.lstrip().startswith(NOT_GRADED):
            continue
        try:
            text = transform(cell) if needs_transform(cell) else cell
            code = compile(text, f"cell {number}", "exec", dont_inherit=True)
            remember(f"cell {number}", text)
            limit: Any = contextlib.nullcontext()
            if patience:
                used = time.process_time() - cpu0, time.monotonic() - wall0
                left = (SHARE * p - u for p, u in zip(patience, used, strict=True))
                limit = at_most(*(max(LEAST_S, s) for s in left))
            with limit, contextlib.suppress(NotImplementedError):
                exec(code, module.__dict__)
        except TookTooLongError as e:
            failed.append(f"cell {number} was {e}; the cells below it were run")
        except BaseException as e:  # sys.exit in a cell must not end the others
            kind = type(e).__name__
            failed.append(f"cell {number} stopped with {kind}: {str(e)[:200]}")
    return failed
