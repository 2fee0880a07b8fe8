"""An example calls arguments as the solution does, or as the student's source does."""

import json
import types

import pytest

from grader.session.examples.parameters import names_of
from grader.session.journal import Call
from grader.submission import Source

TEXT = """
def masked_softmax(scores, mask, dim=-1):
    raise SystemExit("this is read and never run")


class Scorer:
    def __init__(self, q_dim, k_dim):
        pass

    def forward(self, query, keys):
        pass

    def energy(self, query):
        pass
"""


def source(text=TEXT):
    return Source("scorer", "scorer.py", text.encode(), "py", text)


@pytest.mark.parametrize(
    ("target", "count", "names"),
    [
        (["student", "masked_softmax"], 2, ["scores", "mask"]),
        (["student", "masked_softmax"], 4, ["scores", "mask", "dim", "argument 4"]),
        (["student", "Scorer"], 2, ["q_dim", "k_dim"]),
        (["object", 3, ""], 2, ["query", "keys"]),
        (["object", 3, "energy"], 1, ["query"]),
        (["student", "nowhere"], 1, ["argument 1"]),
    ],
)
def test_names_are_those_of_the_students_own_definition(target, count, names):
    assert names_of(Call(target, [0] * count, {}, None), None, source()) == names


def test_names_of_a_notebook_are_those_of_the_cell_that_ran_last():
    cells = (
        "def twice(a):\n    return a",
        "%matplotlib inline\ndef twice(x):\n    return 2 * x",
        "def broken(:",
    )
    data = json.dumps({"cells": []}).encode()
    notebook = Source("twice", "twice.ipynb", data, "ipynb", cells=cells)
    assert names_of(Call(["student", "twice"], [1], {}, None), None, notebook) == ["x"]


def test_solution_decides_where_it_is_at_hand():
    reference = types.ModuleType("reference")
    exec("def masked_softmax(s, m): pass", reference.__dict__)
    call = Call(["student", "masked_softmax"], [1, 2], {}, None)
    assert names_of(call, reference, source()) == ["s", "m"]


@pytest.mark.parametrize("text", ["", "def f(:", "x = " + "(" * 10000, "\0"])
def test_source_that_cannot_be_read_gives_numbers(text):
    call = Call(["student", "f"], [1], {}, None)
    assert names_of(call, None, source(text)) == ["argument 1"]
