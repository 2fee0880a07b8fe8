"""Notebooks of every format, and notebooks made to hurt."""

import json

import nbformat
import pytest
from handins import notebook

from grader.errors import IntakeError
from grader.intake.limits import Limits
from grader.intake.sources import to_source

CELLS = ("import torch\n%time x = 1", "", "!ls\ny = 2")


def cells(data, path="hw.ipynb", **limits):
    source, warnings = to_source("masked_softmax", path, data, Limits(**limits))
    return source.cells, warnings


def refused(data, **limits):
    with pytest.raises(IntakeError, match=r".") as caught:
        cells(data, **limits)
    return str(caught.value)


@pytest.mark.parametrize("minor", [0, 1, 2, 3, 4, 5])
def test_format_4_gives_code_cells_as_written(minor):
    made = nbformat.v4.new_notebook(nbformat_minor=minor)
    made.cells = [nbformat.v4.new_code_cell(c) for c in CELLS]
    made.cells.insert(1, nbformat.v4.new_markdown_cell("# no code"))
    if minor < 5:
        for cell in made.cells:
            cell.pop("id")
    data = nbformat.writes(made, version=nbformat.NO_CONVERT).encode()
    assert json.loads(data)["nbformat_minor"] == minor
    assert cells(data) == (CELLS, [])


def test_format_3_with_worksheets_gives_code_cells_as_written():
    sheet = nbformat.v3.new_worksheet()
    sheet.cells = [nbformat.v3.new_code_cell(input=c) for c in CELLS]
    sheet.cells.append(nbformat.v3.new_text_cell("markdown", source="# no code"))
    made = nbformat.v3.new_notebook(worksheets=[sheet])
    assert cells(nbformat.v3.writes_json(made).encode()) == (CELLS, [])


def test_source_as_list_of_lines_is_joined():
    assert cells(notebook(["x = 1\n", "y = 2"])) == (("x = 1\ny = 2",), [])


def test_other_format_is_read_with_a_warning():
    found, warnings = cells(notebook("x = 1", nbformat=5))
    assert found == ("x = 1",)
    assert warnings == ["hw.ipynb has notebook format 5; it was read as format 4."]


def test_notebook_under_a_python_name_is_read_with_a_warning():
    found, warnings = cells(notebook("x = 1"), path="masked_softmax.py")
    assert found == ("x = 1",)
    assert warnings == ["masked_softmax.py holds a notebook; it is read as one."]


def test_notebook_of_another_language_is_refused():
    data = notebook("x <- 1", kernelspec={"name": "ir", "language": "R"})
    assert refused(data) == "hw.ipynb is a R notebook, not Python."


def test_nan_in_outputs_is_tolerated():
    data = notebook("x = 1").replace(b'"outputs": []', b'"outputs": [NaN, Infinity]')
    assert b"NaN" in data
    assert cells(data) == (("x = 1",), [])


def test_half_a_character_is_replaced_and_owned_up_to():
    found, warnings = cells(notebook("x = '\ud800'", "y = 1"))
    assert found == ("x = '?'", "y = 1")
    assert warnings == ["Code cell 1 of hw.ipynb has half a character; it became a ?."]


def test_outputs_of_any_size_leave_only_cells_and_digest():
    big = notebook("x = 1").replace(
        b'"outputs": []', b'"outputs": ["%b"]' % (b"a" * 10**6)
    )
    source, _ = to_source("masked_softmax", "hw.ipynb", big, Limits())
    small, _ = to_source("masked_softmax", "hw.ipynb", notebook("x = 1"), Limits())
    assert source.data == b""
    assert len(source.sha256) == 64
    assert source.sha256 != small.sha256


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'{"cells": ' + b"[" * 10**6, "is not a notebook"),
        (b'{"x": ' + b"[" * 10**5 + b"]" * 10**5 + b"}", "nested too deeply"),
        (b'{"nbformat": 4, "cells": [{"cell_type": "code"', "is not a whole notebook"),
        (b'{"nbformat": 4, "cells": null}', "is not a notebook"),
        (b'{"cells": []}', "is not a notebook"),
        (b"[1, 2]", "is not a notebook"),
        (b"not json", "is not a whole notebook"),
        (notebook(), "has no code cell (0 cells)"),
        (notebook(" ", "\n"), "has no code cell (2 cells)"),
        (
            b'{"nbformat": 4, "cells": [{"cell_type": "code", "source": {}}]}',
            "not a note",
        ),
        (b'{"nbformat": 1' + b"0" * 10_000 + b', "cells": []}', "is not a notebook"),
        (notebook(*["x"] * 5_001), "has 5001 cells; at most 5000"),
    ],
)
def test_hostile_or_broken_notebook_gets_a_sentence(data, message):
    assert message in refused(data)


def test_long_code_is_refused_by_size():
    message = refused(notebook("x" * 30_000), source_bytes=20_000)
    assert message == "the code of hw.ipynb is too big (30 kB; at most 20 kB)."
