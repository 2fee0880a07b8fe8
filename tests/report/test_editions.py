"""Who sees what: nothing hidden, and nobody else, in what a student gets."""

import io
import json

import msgspec
import pytest
import report_samples as samples
from rich.console import Console

from grader.report import editions
from grader.report.html import render_report
from grader.report.terminal import print_result
from grader.report.views import CheckView, FullView, HintedView
from grader.results import Outcome, from_json, to_json


@pytest.fixture(scope="module")
def course():
    return samples.course()


@pytest.fixture
def strict_course():
    course = samples.course()
    course.policy.hidden_feedback = "verdict"
    return course


def printed(edition):
    out = io.StringIO()
    print_result(Console(file=out, width=80), edition, verbose=True)
    return out.getvalue()


def everything(result, course, kind):
    """All that one reader can get hold of: the data, the page, the terminal."""
    edition = editions.build(result, course, kind, identical=["OTHERSTUDENT"])
    page = render_report(result, course, kind, identical=["OTHERSTUDENT"])
    return editions.text_of(edition) + page + printed(edition)


RESULTS = [samples.every_outcome(), samples.grader_fault()]


@pytest.mark.parametrize("secret", samples.SECRETS)
@pytest.mark.parametrize("result", RESULTS, ids=["graded", "grader_error"])
def test_student_never_sees(secret, result, course):
    assert secret not in everything(result, course, "student")


@pytest.mark.parametrize("secret", samples.SECRETS)
def test_ta_sees(secret, course):
    """The control: the secrets are there, and the search finds them."""
    assert any(secret in everything(r, course, "ta") for r in RESULTS)


def hidden_checks(edition):
    return [c for e in edition.exercises for c in e.checks if not c.public]


def test_student_sees_of_a_hidden_check_what_the_table_allows(course):
    edition = editions.student_edition(samples.every_outcome(), course)
    check = hidden_checks(edition)[0]

    assert type(check) is HintedView
    assert json.loads(msgspec.json.encode(check)) == {
        "title": "Half precision stays finite and keeps its dtype",
        "public": False,
        "outcome": "failed",
        "points": "0",
        "max_points": "8",
        "hint": "Which number is too large for float16?",
        "mistake": "",
        "one_of": [],
        "line": 7,
        "exception": "",
        "stage": "",
        "example": None,
    }


def test_verdict_policy_leaves_only_the_verdict_of_hidden_checks(strict_course):
    edition = editions.student_edition(samples.every_outcome(), strict_course)
    text = everything(samples.every_outcome(), strict_course, "student")

    assert {type(c) for c in hidden_checks(edition)} == {CheckView}
    assert "float16?" not in text
    assert "ValueError at your line 7" not in text


def test_verdict_policy_leaves_public_checks_and_the_ta_alone(strict_course):
    result = samples.every_outcome()
    student = editions.student_edition(result, strict_course)
    ta = editions.ta_edition(result, strict_course)

    public = [c for e in student.exercises for c in e.checks if c.public]
    assert {type(c) for c in public} == {FullView}
    assert {type(c) for c in hidden_checks(ta)} == {FullView}


def test_student_sees_everything_of_a_public_check(course):
    edition = editions.student_edition(samples.every_outcome(), course)
    check = edition.exercises[0].checks[1]

    assert (check.expected, check.got) == (
        "1 in every row that has a valid position",
        "0.83 in row 1",
    )
    assert [t.name for t in check.inputs + check.tables] == ["scores", "weights"]
    assert check.mistake == "softmax over the wrong dimension"
    assert "注意力权重" in check.output


def test_every_field_of_a_result_is_known_here():
    """A new field is not shown before somebody decides who may see it."""
    shown = set(FullView.__struct_fields__) - {"exception", "said"}  # worked out
    # Figures are shown with their exercise: see report.figures.
    known = shown | {"cpu_s", "figures"}
    assert set(samples.CheckResult.__struct_fields__) == known


@pytest.mark.parametrize(
    ("trace", "name"),
    [
        ("ValueError: secret", "ValueError"),
        ("torch.OutOfMemoryError: secret", "OutOfMemoryError"),
        ("KeyError", "KeyError"),
        ("mine.Secret123: x", editions.OWN_EXCEPTION),
        ("h0.31_0.77: x", ""),
        ("Traceback: of nobody", editions.OWN_EXCEPTION),
    ],
)
def test_only_known_exception_names_are_repeated(course, trace, name):
    """A student could write a hidden input into the name of a class."""
    check = samples.check("x", Outcome.ERROR, public=False, trace=f"  line\n{trace}")

    assert editions.exception_type(check) == name


def test_grader_fault_is_told_in_our_words_and_costs_no_blame(course):
    edition = editions.student_edition(samples.grader_fault(), course)

    assert edition.score is None
    assert "That is not about this code." in edition.message
    assert edition.exercises[0].checks[1].message == editions.GRADER_FAULT


def test_reason_of_an_unreadable_row_reaches_the_student(course):
    row = samples.result(status="unreadable", message="The zip is broken.")

    assert "The zip is broken." in editions.student_edition(row, course).message


def test_student_reads_the_warnings_on_own_files_and_no_others(course):
    """Others speak of the whole download, and may name another student."""
    edition = editions.student_edition(samples.every_outcome(), course)

    assert edition.warnings == [
        "Masked_Softmax (1).py is taken for masked_softmax: it is near the name."
    ]


def test_late_shows_only_fields_that_are_meant_for_students(course):
    edition = editions.student_edition(samples.every_outcome(), course)

    assert edition.late == {"": "2 hours late: 5 points off"}


def test_time_of_a_hand_in_is_given_in_words(course):
    late = {"submitted_at": "2026-03-01T12:00", "marked_late": True, "time_source": "x"}
    edition = editions.student_edition(samples.full_marks(late=late), course)

    assert edition.late == {"handed in": "2026-03-01T12:00", "marked late": "yes"}


def test_exercise_without_a_file_is_one_sentence(course):
    said = "No file forget_bias.py was handed in."
    outcome = Outcome.NOT_WRITTEN
    checks = [
        samples.check("a", outcome, message=said),
        samples.check("b", outcome, public=False, message=said),
    ]
    part = samples.exercise(checks, status="missing")
    result = samples.result({"forget_bias": part})
    page = render_report(result, course, "student")

    assert page.count(said) == 1
    assert "<article" not in page


def test_exercises_are_grouped_by_chapter_in_course_order(course):
    parts = samples.every_outcome().exercises
    result = samples.result(dict(reversed(parts.items())))
    edition = editions.student_edition(result, course)

    assert [(c.title, [e.name for e in c.exercises]) for c in edition.chapters] == [
        ("Weights from scores", ["masked_softmax", "bahdanau_attention"]),
        (
            "Networks on real batches",
            ["packed_lstm", "forget_bias", "truncated_bptt"],
        ),
    ]


def test_exercise_that_left_the_course_is_still_shown(course):
    result = samples.result({"old_one": samples.exercise([samples.check()])})
    edition = editions.student_edition(result, course)

    assert [c.title for c in edition.chapters] == ["Not in this course"]


def test_control_characters_are_gone_from_every_text(course):
    bad = "\x1b[31m\u202e\ud800"
    check = samples.check(
        bad,
        Outcome.ERROR,
        **dict.fromkeys(("message", "expected", "got", "hint", "trace", "output"), bad),
        mistake=bad,
        tables=[samples.Table(bad, [[1.0]], [1, 1], bad)],
    )
    part = samples.exercise([check], warnings=[bad], source=bad)
    result = samples.result({"masked_softmax": part, bad: part}, bad, warnings=[bad])
    text = everything(result, course, "ta")

    assert "\u241b[31m<U+202E><U+D800>" in text
    assert not {"\x1b", "\u202e", "\ud800"} & set(text)


def test_huge_texts_and_tables_are_capped(course):
    big = "x" * 3_000_000
    table = samples.Table("t", [[0.5] * 200] * 200, [200, 200])
    check = samples.check(
        "t", Outcome.FAILED, got=big, output=big, trace=big, tables=[table] * 100
    )
    result = samples.result(
        {"masked_softmax": samples.exercise([check], warnings=[big] * 1000)}
    )

    assert len(editions.text_of(editions.student_edition(result, course))) < 60_000


def test_edition_is_the_same_after_a_trip_through_the_gradebook(course):
    result = samples.every_outcome()
    again = from_json(to_json(result))

    assert editions.ta_edition(again, course) == editions.ta_edition(result, course)


def test_unknown_kind_is_refused(course):
    with pytest.raises(ValueError, match="'student' or 'ta', not 'boss'"):
        editions.build(samples.full_marks(), course, "boss")
