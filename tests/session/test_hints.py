"""Hints point and do not solve: no line of a solution is in any of them."""

import ast
import re
import tomllib
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from grader.course import load_course
from grader.lang import speaking
from grader.report.html import render_report
from grader.session import beginnings
from grader.session.naming.namer import load_mistakes
from grader.session.start import Session
from grader.skeletons import make_skeleton
from grader.submission import Submission, as_submission

ROOT = Path(__file__).resolve().parents[2]
SOLUTIONS = sorted((ROOT / "solutions").glob("*.py"))
MISTAKES = sorted((ROOT / "grader" / "mistakes").glob("*/mistakes.toml"))
CATALOGUES = [
    folder / "locale" / "zh" / "LC_MESSAGES" / "messages.po"
    for folder in (ROOT, ROOT / "grader")
]
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


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda p: p.parents[3].name)
def test_no_sentence_in_either_language_holds_a_line_of_a_solution(path):
    """Hints of suites have their Chinese there, and so have all other words."""
    with path.open("rb") as f:
        entries = [m for m in read_po(f) if m.id]
    assert len(entries) > 100
    tasks = squeezed("".join(make_skeleton(p.read_text("utf-8")) for p in SOLUTIONS))
    for message in entries:
        english, chinese = map(in_one, (message.id, message.string))
        if squeezed(english) in tasks:
            continue  # one exercise's task may say what another one asks for
        for exercise in SOLVING:
            assert solved_by(f"{english} {chinese}", exercise) == [], english


def in_one(text):
    """A message with its plural forms, if it has any."""
    return " ".join(text) if isinstance(text, tuple | list) else text


@pytest.mark.parametrize("language", ["en", "zh"])
def test_report_holds_no_line_of_the_solution(reported, language):
    """Of hand-ins that do not have it themselves, examples and all."""
    pages, files = reported
    page = squeezed(re.sub(r"<[^>]*>", "", pages[language]))
    assert {"en": "Thesmallestcasethatstillfails", "zh": "最小"}[language] in page
    assert set(files) == {path.stem for path in SOLUTIONS}
    for name, source in files.items():
        own = squeezed(source.text)
        found = [line for line in SOLVING[name] if line in page and line not in own]
        assert found == [], name


@pytest.fixture(scope="module")
def reported():
    """A hand-in with a mistake in every exercise: its page by language, its files."""
    course = load_course(ROOT)
    wrong = {
        path.parent.name: next(iter(load_mistakes(path.parent))) for path in MISTAKES
    }
    files = {
        name: as_submission(path.parent / f"{wrong[name]}.py", name).files[name]
        for path in MISTAKES
        for name in [path.parent.name]
    }
    labs = [name for name in files if course.exercises[name].kind == "lab"]
    pages = {}

    def work(grader):
        submission = Submission("s", files)
        result = grader.grade(submission, [n for n in files if n not in labs])
        for name in labs:  # untrained: reports of trainings have no words of their own
            graded = grader.grade_exercise(submission, name, labs=False)
            result.exercises[name] = graded.result
        for language in ("en", "zh"):
            with speaking(language, course):
                pages[language] = render_report(result, course, "student")

    with Session(course, list(files), "none") as session:
        session.run(work)
    return pages, files
