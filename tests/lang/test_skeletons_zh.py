"""Skeletons in Chinese: other words, the same code."""

import ast
import re

import pytest

from grader.lang import speaking
from grader.lang.skeleton import pieces, translated
from grader.quiz.sheet import WIDTH, columns
from grader.skeletons import course_skeletons


@pytest.fixture(scope="module")
def chinese(course):
    with speaking("zh", course):
        made = course_skeletons(course)
    return {p.stem: text for p, text in made.items() if p.suffix == ".py"}


@pytest.fixture(scope="module")
def english(course):
    made = course_skeletons(course)
    return {p.stem: text for p, text in made.items() if p.suffix == ".py"}


def bare(source):
    """The code alone: no docstring, no comment."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list) and body and isinstance(body[0], ast.Expr):
            if isinstance(body[0].value, ast.Constant):
                body[0].value.value = ""
    return ast.dump(tree)


def test_code_is_the_same_in_both_languages(chinese, english):
    assert set(chinese) == set(english)
    for name in english:
        assert bare(chinese[name]) == bare(english[name]), name


def test_every_docstring_and_todo_is_chinese(chinese):
    for name, text in chinese.items():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                said = ast.get_docstring(node) or ""
                found = re.search(r"[\u4e00-\u9fff]", said)
                assert found or not re.search("[a-z]{4,} [a-z]{2,} [a-z]{2,}", said), (
                    name
                )
        todos = re.findall(r"# TODO \d of \d: (.+)", text)
        assert todos, name
        assert all(re.search(r"[\u4e00-\u9fff]", todo) for todo in todos), name


def test_no_line_is_wider_than_a_skeleton_may_be(chinese):
    for name, text in chinese.items():
        wide = [x for x in text.splitlines() if columns(x) > WIDTH]
        assert wide == [], name


def test_english_is_left_byte_for_byte(english):
    for text in english.values():
        assert translated(text) == text


def test_a_docstring_is_cut_where_its_parts_make_sense_alone():
    text = """Do it.

    Two lines that
    belong together:

        x = 1

    Args:
        a: one thing
            over two lines.
        b: another.

    Returns:
        What comes out, also
        over two lines.
    """
    told = [(p.text, p.indent) for p in pieces(text) if p.told]
    assert told == [
        ("Do it.", 0),
        ("Two lines that belong together:", 0),
        ("Args:", 0),
        ("a: one thing over two lines.", 4),
        ("b: another.", 4),
        ("Returns:", 0),
        ("What comes out, also over two lines.", 4),
    ]
    assert [p.text for p in pieces(text) if not p.told and p.text] == ["x = 1"]
