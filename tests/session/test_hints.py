"""Hints point and do not solve: no line of a solution is in any of them."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

from grader.course import load_course
from grader.report.html import render_report
from grader.session import beginnings
from grader.session.start import Session
from grader.skeletons import make_skeleton
from grader.submission import Submission, as_submission

ROOT = Path(__file__).resolve().parents[2]
SOLUTIONS = sorted((ROOT / "solutions").glob("*.py"))
MISTAKES = sorted((ROOT / "grader" / "mistakes").glob("*/mistakes.toml"))
SUITES = sorted((ROOT / "grader" / "suites").glob("*_*.py"))
LEAST = 12  # characters without blanks: "return out" says nothing
# A hint may ask with these in it: they name a thing and solve nothing.
POINTING = re.compile(r"[?.)\u3002\uff1f]$")


def squeezed(text):
    return "".join(text.split())


def solving_lines(path):
    """Lines between the marks of a solution that its skeleton does not have."""
    text = path.read_text(encoding="utf-8")
    given = {squeezed(line) for line in make_skeleton(text).splitlines()}
    lines = {squeezed(line) for line in text.splitlines() if "#" not in line}
    return {line for line in lines - given if len(line) >= LEAST}


SOLVING = {path.stem: solving_lines(path) for path in SOLUTIONS}


def hints_of_mistakes(path):
    for entry in tomllib.loads(path.read_text(encoding="utf-8")).values():
        yield entry["hint"]
        yield entry.get("hint_zh", "")


def hints_of_suite(path):
    """Texts in capitals at the top, and those given as ``hint=``."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
            name = node.targets[0]
            if isinstance(name, ast.Name) and name.id.isupper():
                yield node.value.value
        if isinstance(node, ast.keyword) and node.arg == "hint":
            if isinstance(node.value, ast.Constant):
                yield node.value.value


def solved_by(text, exercise):
    plain = squeezed(text)
    return [line for line in SOLVING.get(exercise, ()) if line in plain]


def test_there_are_lines_to_look_for():
    assert len(SOLUTIONS) > 15
    assert all(len(lines) >= 3 for lines in SOLVING.values())


def test_a_line_of_the_solution_would_be_found():
    for exercise, lines in SOLVING.items():
        assert solved_by(f"Try this: {min(lines)}, perhaps.", exercise)


@pytest.mark.parametrize("path", MISTAKES, ids=lambda p: p.parent.name)
def test_hint_of_a_mistake_holds_no_line_of_the_solution(path):
    for hint in hints_of_mistakes(path):
        assert solved_by(hint, path.parent.name) == []


@pytest.mark.parametrize("path", SUITES, ids=lambda p: p.stem)
def test_hint_of_a_check_holds_no_line_of_the_solution(path):
    exercise = path.stem.split("_", 1)[1]
    for hint in hints_of_suite(path):
        assert not isinstance(hint, str) or solved_by(hint, exercise) == []


def test_hints_are_questions_or_pointers():
    """One sentence or two that end as such, and no assignment."""
    hints = [h for path in MISTAKES for h in hints_of_mistakes(path) if h]
    hints += [beginnings.NO_RETURN, beginnings.SIGNATURE]
    for hint in hints:
        assert POINTING.search(hint), hint
        assert not re.search(r"\b[a-z_]\w* = [a-z_(]", hint), hint
        assert "\n" not in hint


def test_report_holds_no_line_of_the_solution():
    """Of hand-ins that do not have it themselves, examples and all."""
    course = load_course(ROOT)
    wrong = {"masked_softmax": "mask_inverted", "packed_lstm": "not_packed"}
    files = {
        name: as_submission(
            ROOT / "grader" / "mistakes" / name / f"{mistake}.py", name
        ).files[name]
        for name, mistake in wrong.items()
    }
    pages = {}

    def work(grader):
        result = grader.grade(Submission("s", files), list(wrong))
        pages["student"] = render_report(result, course, "student")

    with Session(course, list(wrong), "none") as session:
        session.run(work)
    page = squeezed(re.sub(r"<[^>]*>", "", pages["student"]))
    assert "Thesmallestcasethatstillfails" in page
    for name in wrong:
        own = squeezed(files[name].text)
        found = [line for line in SOLVING[name] if line in page and line not in own]
        assert found == []
