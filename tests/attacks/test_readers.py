"""What a hand-in prints, raises and is called must not act on whoever reads of it.

Each hand-in is really graded; then its result goes through every report and
export, once as it is and once with the rule taken away that makes it harmless.
"""

from __future__ import annotations

import contextlib
import csv
import io
import xml.etree.ElementTree as ET
from collections.abc import Callable
from html.parser import HTMLParser
from unittest import mock

import pytest
from attack_bait import Bait
from attack_session import COURSE, Driven
from attack_session import encode as as_line
from rich.console import Console

from grader.course import load_course
from grader.exports import common, feedback, junit
from grader.exports import csv as grades
from grader.isolation.probe import probe
from grader.report import clean, pages
from grader.report.editions import ta_edition
from grader.report.html import render_report
from grader.report.terminal import print_result
from grader.results import SubmissionResult

TEMPLATE = """
import os

PAYLOAD = {payload!r}
print(PAYLOAD)
os.write(2, PAYLOAD.encode("utf-8", "surrogatepass") + b"\\n")


class Kind(ValueError):
    pass


Kind.__name__ = PAYLOAD[:60]


def square(x):
    if isinstance(x, str):
        raise TypeError
    if tuple(x.shape) == (3,):
        raise Kind(PAYLOAD)
    return PAYLOAD
"""
HTML = {
    "script": "<script>alert(1)</script>",
    "handler": "\"'><img src=x onerror=alert(1)>",
    "link": '<a href="javascript:alert(1)">your score</a>',
    "frame": "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "style end": "</style></title><svg onload=alert(1)>",
}
SCREEN = {
    "repaints the line": "\x1b[2K\x1b[1GPASSED 100/100",
    "names the window": "\x1b]0;owned\x07",
    "writes the clipboard": "\x1b]52;c;b3duZWQ=\x07",
    "hyperlink of a terminal": "\x1b]8;;http://evil.example\x07click\x1b]8;;\x07",
    "turns the direction": "\u202e001 :erocs\u202c",
    "hides letters": "pass\u200bed\u2066",
    "8-bit control": "\x9b31mred",
}
TEMPLATES = {"jinja": "{{ 7 * 191 }}"}
BROKEN = {"half characters": "\ud800\udfff", "no XML": "\x00\x0b\x1f\ufffe"}
PAYLOADS = HTML | SCREEN | TEMPLATES | BROKEN
TA, STUDENT = "ta", "student"


class Seen(HTMLParser):
    """Tags that may act, attributes that run."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.acts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("script", "img", "iframe", "svg", "object", "embed"):
            self.acts.append(tag)
        for name, value in attrs:
            if name.startswith("on") or "javascript:" in (value or ""):
                self.acts.append(name)


@pytest.fixture(scope="module")
def course():
    return load_course(COURSE)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict:
    bait = Bait(tmp_path_factory.mktemp("bait") / "readers")
    level = probe().level
    driven = Driven("--isolation", level, token=bait.token)
    found = {}
    for name, payload in PAYLOADS.items():
        text = TEMPLATE.format(payload=payload)
        found[name] = driven.ask(text).result
    driven.close()
    bait.close()
    return found


def page(result: SubmissionResult, course, kind: str) -> str:
    return render_report(result, course, kind, name=result.submission)


def screen(result: SubmissionResult, course) -> str:
    out = io.StringIO()
    console = Console(file=out, width=100, color_system=None, force_terminal=False)
    print_result(console, ta_edition(result, course), verbose=True)
    return out.getvalue()


def unescaped() -> contextlib.AbstractContextManager:
    env = pages.environment().overlay(autoescape=False)
    return mock.patch.object(pages, "environment", return_value=env)


def uncleaned() -> contextlib.AbstractContextManager:
    return mock.patch.object(clean, "_TABLE", {})


@pytest.mark.parametrize("name", PAYLOADS)
def test_hand_in_is_graded_whatever_it_prints(results, name):
    result = results[name]
    checks = result.exercises["square"].checks
    assert result.status == "graded"
    assert result.score == 0
    assert checks[0].outcome.value == "error"
    as_line(result)  # all of it is text that JSON can hold


@pytest.mark.parametrize("kind", [STUDENT, TA])
@pytest.mark.parametrize("name", HTML)
def test_markup_of_a_hand_in_is_shown_as_text(results, course, name, kind):
    assert Seen(page(results[name], course, kind)).acts == []
    with unescaped():
        assert Seen(page(results[name], course, kind)).acts != []


@pytest.mark.parametrize("name", HTML)
def test_markup_in_the_comment_for_an_lms_is_text(results, course, name):
    assert Seen(feedback.html(results[name], course)).acts == []
    with mock.patch.object(feedback, "escape", str):
        assert Seen(feedback.html(results[name], course)).acts != []


@pytest.mark.parametrize("name", SCREEN)
def test_control_characters_reach_neither_terminal_nor_page(results, course, name):
    controls = {c for c in PAYLOADS[name] if not c.isprintable()}
    for shown in (screen(results[name], course), page(results[name], course, TA)):
        assert not controls & set(shown)
    with uncleaned():
        assert controls & set(page(results[name], course, TA))


def test_template_in_a_hand_in_is_never_run(results, course):
    shown = page(results["jinja"], course, TA)
    assert "{{ 7 * 191 }}" in shown
    assert "1337" not in shown
    got = results["jinja"].exercises["square"].checks[0].got
    assert "1337" in pages.environment().from_string(got).render()


@pytest.mark.parametrize("name", BROKEN)
def test_characters_that_break_xml_are_replaced(results, course, name, tmp_path):
    result = results[name]
    result.exercises["square"].checks[0].message += PAYLOADS["no XML"]
    junit.export([result], course, tmp_path / "junit.xml")
    assert ET.parse(tmp_path / "junit.xml").getroot().tag == "testsuites"
    page(result, course, TA).encode("utf-8")
    with uncleaned(), mock.patch.object(junit, "valid", str):
        junit.export([result], course, tmp_path / "broken.xml")
        with pytest.raises(ET.ParseError, match=r"not well-formed|invalid"):
            ET.parse(tmp_path / "broken.xml")


FORMULAS = ("=HYPERLINK(1)", "+1+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "=1+1")


def cells(result: SubmissionResult, course, out) -> list[str]:
    grades.export([result], course, out)
    text = out.read_text(encoding="utf-8-sig")
    return list(next(csv.DictReader(io.StringIO(text))).values())


@pytest.mark.parametrize("formula", FORMULAS)
def test_no_cell_is_a_formula(results, course, formula, tmp_path):
    result = results["script"]
    result.submission = formula
    dangerous: Callable[[list[str]], bool] = lambda row: any(  # noqa: E731
        str(cell).lstrip(" ").startswith(common.FORMULA_STARTS) for cell in row
    )
    assert not dangerous(cells(result, course, tmp_path / "grades.csv"))
    with mock.patch.object(grades, "cell", str):
        assert dangerous(cells(result, course, tmp_path / "open.csv"))
