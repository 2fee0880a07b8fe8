"""Code cells of a notebook, nbformat 3 to 4.5, with nothing else built.

Only the fields that are named here are turned into objects, so outputs of any
size or depth cost no memory and are never looked at.
"""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec

from grader.errors import IntakeError
from grader.intake.limits import MIB, Limits
from grader.intake.tree import too_big
from grader.intake.words import clean, count, show

_MOST_CELLS = 5_000
# The tolerant reader builds everything; up to this size that stays cheap.
_TOLERANT_BYTES = 4 * MIB
_SURROGATE = re.compile("[\ud800-\udfff]")


class _Cell(msgspec.Struct):
    cell_type: str
    source: str | list[str] = ""
    input: str | list[str] = ""  # nbformat 3

    @property
    def code(self) -> str:
        source = self.source or self.input
        return source if isinstance(source, str) else "".join(source)


class _Worksheet(msgspec.Struct):
    cells: list[_Cell] = []


class _KernelSpec(msgspec.Struct):
    language: str = ""


class _Metadata(msgspec.Struct):
    kernelspec: _KernelSpec | None = None


class _Notebook(msgspec.Struct):
    nbformat: int
    cells: list[_Cell] = []
    worksheets: list[_Worksheet] = []  # nbformat 3
    metadata: _Metadata | None = None


_decoder = msgspec.json.Decoder(_Notebook)


def code_cells(
    text: str, path: str, limits: Limits
) -> tuple[tuple[str, ...], list[str]]:
    """All code cells in order, as written, and what was guessed.

    Raises:
        IntakeError: it is no notebook, of another language, or too big.
    """
    name = show(path)
    notebook = _parse(text, path)
    warnings = []
    if not 3 <= notebook.nbformat <= 4:
        warnings.append(
            f"{name} has notebook format {notebook.nbformat}; it was read as format 4."
        )
    kernel = notebook.metadata and notebook.metadata.kernelspec
    if kernel and kernel.language and "python" not in kernel.language.lower():
        raise IntakeError(f"{name} is a {show(kernel.language)} notebook, not Python.")
    cells = notebook.cells or [c for w in notebook.worksheets for c in w.cells]
    if len(cells) > _MOST_CELLS:
        raise IntakeError(f"{name} has {len(cells)} cells; at most {_MOST_CELLS}.")
    code = [c.code for c in cells if c.cell_type == "code"]
    total = sum(len(c) for c in code)
    if total > limits.source_bytes:
        raise IntakeError(f"the code of {name} {too_big(total, limits.source_bytes)}")
    if not any(c.strip() for c in code):
        raise IntakeError(f"{name} has no code cell ({count(len(cells), 'cell')}).")
    return tuple(_without_surrogates(code, name, warnings)), warnings


def _parse(text: str, path: str) -> _Notebook:
    try:
        return _decoder.decode(text)
    except RecursionError as e:
        raise IntakeError(f"{show(path)} is nested too deeply for a notebook.") from e
    except msgspec.ValidationError as e:
        raise IntakeError(f"{show(path)} is not a notebook: {e}.") from e
    except msgspec.DecodeError as e:
        return _parse_tolerantly(text, path, str(e))


def _parse_tolerantly(text: str, path: str, why: str) -> _Notebook:
    """For what Jupyter writes though JSON forbids it: NaN, lone surrogates."""
    broken = IntakeError(
        f"{show(path)} is not a whole notebook ({show(why)}). Open it in Jupyter, save "
        "it and hand it in again."
    )
    if len(text) > _TOLERANT_BYTES:
        raise broken
    try:
        data: Any = json.loads(text)
        return msgspec.convert(data, _Notebook)
    except (ValueError, RecursionError, msgspec.ValidationError) as e:
        raise broken from e


def _without_surrogates(code: list[str], name: str, warnings: list[str]) -> list[str]:
    out = []
    for i, cell in enumerate(code, start=1):
        if _SURROGATE.search(cell):
            warnings.append(
                f"Code cell {i} of {name} has half a character; it became a ?."
            )
            cell = clean(cell)
        out.append(cell)
    return out
