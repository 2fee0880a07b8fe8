"""Before any number: names, signatures and a forgotten return have their own words."""

import pytest

from grader.results import Outcome
from grader.session.beginnings import line_of_ready_made


def first(engine, text):
    checks = engine.grade({"plain": text}).exercises["plain"].checks
    return checks[0]


def test_undefined_name_is_told_with_the_near_one(engine):
    check = first(engine, "def double(number):\n    return numbr * 2")
    assert check.stage == "undefined"
    assert check.message == "The name numbr is not defined."
    assert check.hint == "Is number the name that was meant?"
    assert check.line == 2


def test_undefined_name_without_a_near_one_asks_where_it_comes_from(engine):
    check = first(engine, "def double(x):\n    return torch.mul(x, 2)")
    assert check.message == "The name torch is not defined."
    assert check.hint.startswith("Where is torch meant to come from")


def test_signature_that_does_not_fit_is_no_error_of_the_body(engine):
    check = first(engine, "def double(x, y):\n    return x * 2")
    assert check.stage == "call"
    assert check.message.startswith(
        "It cannot be called as the exercise calls it: double() missing 1 required"
    )
    assert check.hint.startswith("Which parameters does your def line have")


def test_type_error_inside_the_body_stays_one(engine):
    text = "def f(a):\n    return a\ndef double(x):\n    return f(x, x)"
    check = first(engine, text)
    assert check.outcome is Outcome.ERROR
    assert check.stage == "raised"
    assert check.line == 4


def test_forgotten_return_is_told_as_such(engine):
    check = first(engine, "def double(x):\n    x * 2")
    assert check.stage == "return"
    assert check.message == (
        "Nothing came back (None) where this was asked for: double(2)."
    )
    assert check.hint == "Does every way through the function end in a return?"


@pytest.mark.parametrize(
    ("text", "stage"),
    [
        ("import nosuchmodule", "import"),
        ("def other(x):\n    return x", "name"),
        ("def double(x):\n    return 5", "number"),
        ("def double(x):\n    raise KeyError(x)", "raised"),
    ],
)
def test_every_failure_says_how_far_it_came(engine, text, stage):
    assert first(engine, text).stage == stage


def test_line_that_names_ready_made_attention_is_found_where_the_rule_is_broken():
    source = "import torch\nfrom torch.nn import MultiheadAttention as M\n"
    assert line_of_ready_made("ready-made attention in the module", source) == 2
    assert line_of_ready_made("weights without ['scaled_dot']", source) == 2
    assert line_of_ready_made("weights", source) is None
    assert line_of_ready_made("ready-made attention", "x = 1\n" * 400_000) is None
