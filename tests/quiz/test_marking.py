"""Points and sentences for one sheet."""

from decimal import Decimal

import pytest

from grader.quiz import form_of, mark
from grader.results import Outcome
from grader.submission import Submission

RIGHT = 'sky = "b"\nprimes = ["a", "c"]\nhalf = 0.5\n'


def marked(course, submission):
    return mark(course, course.exercises["ideas"], submission)


def checks(result):
    return {c.id: c for c in result.checks}


def test_right_answers_get_everything(small, hand_in):
    result = marked(small, hand_in(RIGHT))
    assert (result.score, result.max_score, result.status) == (6, 6, "passed")
    assert result.warnings == []


def test_a_blank_sheet_gets_nothing_and_is_not_written(small, hand_in):
    result = marked(small, hand_in('sky = ""\nprimes = []\nhalf = ""\n'))
    assert (result.score, result.status) == (0, "not_written")


@pytest.mark.parametrize(
    ("chosen", "points"),
    [
        ('["a", "c"]', 2),
        ('["c", "a"]', 2),
        ('"ac"', 2),
        ('["a"]', 1),
        ('["a", "c", "d"]', 1),
        ('["a", "b"]', 0),
        ('["a", "b", "c", "d"]', 0),
        ('["b"]', 0),
    ],
)
def test_one_slip_leaves_half_of_the_points_and_two_leave_none(
    small, hand_in, chosen, points
):
    check = checks(marked(small, hand_in(f"primes = {chosen}\n")))["primes"]
    assert check.points == Decimal(points)
    assert (check.outcome is Outcome.PASSED) == (points == 2)


@pytest.mark.parametrize(("given", "right"), [("0.509", True), ("0.511", False)])
def test_a_number_counts_within_its_tolerance(small, hand_in, given, right):
    check = checks(marked(small, hand_in(f"half = {given}\n")))["half"]
    assert (check.points == 2) is right


@pytest.mark.parametrize(
    ("line", "question", "sentence"),
    [
        ('sky = "x"', "sky", "Line 1: x is none of the options a, b, c."),
        ('sky = ["a", "b"]', "sky", "Line 1 names 2 options; this question has one."),
        ('primes = ["a", "a"]', "primes", "Line 1 names an option twice."),
        (
            'half = "about a half"',
            "half",
            "Line 1: about, a, half is not a number; write it like 0.25.",
        ),
        ("half = nan", "half", "Line 1: nan is not a number; write it like 0.25."),
        (
            'sky = "b"\nsky = "b"',
            "sky",
            "It is answered twice, on lines 1, 2; keep one.",
        ),
        (
            'primes = ["a"',
            "primes",
            "Line 1 cannot be read: its square brackets do not match.",
        ),
    ],
)
def test_a_wrong_form_is_one_sentence_and_no_points(
    small, hand_in, line, question, sentence
):
    for judge in (mark, form_of):
        result = judge(small, small.exercises["ideas"], hand_in(line + "\n"))
        check = checks(result)[question]
        assert check.message == sentence
        assert check.outcome is Outcome.FAILED
        assert check.points == 0


def test_an_unknown_question_is_named_with_the_near_one(small, hand_in):
    result = marked(small, hand_in("prime = a\nunrelated = b\n"))
    assert result.warnings == [
        "Line 1: there is no question prime, but there is primes.",
        "Line 2: there is no question unrelated.",
    ]
    assert result.score == 0


def test_stray_lines_are_told(small, hand_in):
    result = marked(small, hand_in("my answers\n" + RIGHT))
    assert result.score == 6
    assert result.warnings == [
        "Not read as an answer (name = letter, list or number): line 1."
    ]


def test_form_tells_nothing_of_what_is_right(small, hand_in):
    ideas = small.exercises["ideas"]
    right = form_of(small, ideas, hand_in(RIGHT))
    wrong = form_of(small, ideas, hand_in('sky="a"\nprimes=["b"]\nhalf=7\n'))
    for result in (right, wrong):
        assert result.status == "passed"
        assert (result.score, result.max_score) == (0, 0)
        assert {c.outcome for c in result.checks} == {Outcome.PASSED}
        assert {c.expected for c in result.checks} == {""}


def test_form_needs_no_answers(small, hand_in):
    (small.folder("quiz") / "answers_ideas.toml").unlink()
    result = form_of(small, small.exercises["ideas"], hand_in("half = 1\n"))
    assert result.status == "partial"


def test_no_file_is_missing_and_a_blocked_one_says_why(small):
    missing = marked(small, Submission("lee"))
    assert missing.status == "missing"
    assert missing.checks[0].message == "No file ideas.toml was handed in."
    blocked = marked(small, Submission("lee", blocked={"ideas": "It is a PDF."}))
    assert (blocked.status, blocked.warnings) == ("failed", ["It is a PDF."])
    assert blocked.score == 0
