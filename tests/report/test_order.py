import report_samples as samples

from grader.report.editions import build
from grader.report.order import first_steps, troubles
from grader.results import Outcome

COURSE = samples.course()


def view(checks, kind="ta", **fields):
    result = samples.result({"masked_softmax": samples.exercise(checks, **fields)})
    return build(result, COURSE, kind).exercises[0]


def titles(found):
    return [t.check.title for t in found]


def test_first_failing_public_check_comes_before_hidden_ones():
    exercise = view(
        [
            samples.check("hidden", Outcome.FAILED, public=False, got="1"),
            samples.check("first", Outcome.FAILED, got="2"),
            samples.check("second", Outcome.FAILED, got="3"),
        ]
    )

    assert titles(troubles(exercise)) == ["first", "second", "hidden"]


def test_unwritten_part_comes_before_everything_that_failed():
    exercise = view(
        [
            samples.check("failed", Outcome.FAILED, got="1"),
            samples.check("unwritten", Outcome.NOT_WRITTEN),
        ]
    )

    assert titles(troubles(exercise)) == ["unwritten", "failed"]


def test_failing_import_is_told_once_with_its_consequences():
    trace = "ModuleNotFoundError: No module named 'einops'"
    checks = [
        samples.check(f"c{n}", Outcome.ERROR, trace=trace, line=1) for n in range(10)
    ]
    (trouble,) = troubles(view(checks))

    assert trouble.check.title == "c0"
    assert len(trouble.consequences) == 9


def test_same_exception_at_another_line_is_a_cause_of_its_own():
    checks = [
        samples.check(f"c{n}", Outcome.ERROR, trace="ValueError: x", line=n)
        for n in range(2)
    ]

    assert len(troubles(view(checks))) == 2


def test_hang_at_one_line_is_told_once_however_long_each_check_waited():
    hang = {"got": "stopped", "line": 6}
    checks = [
        samples.check("c0", Outcome.TIMEOUT, message="Stopped after 20 s.", **hang),
        samples.check("c1", Outcome.TIMEOUT, message="Stopped after 2 s.", **hang),
        samples.check("h", Outcome.TIMEOUT, public=False, **hang),
        samples.check("elsewhere", Outcome.TIMEOUT, line=9),
        samples.check("nowhere", Outcome.TIMEOUT),
        samples.check("nowhere either", Outcome.TIMEOUT),
    ]

    for kind in ("ta", "student"):
        found = troubles(view(checks, kind))
        assert titles(found) == ["c0", "elsewhere", "nowhere", "nowhere either"]
        assert [c.title for c in found[0].consequences] == ["c1", "h"]


def test_checks_with_one_named_mistake_are_folded():
    checks = [
        samples.check(f"c{n}", Outcome.FAILED, got=str(n), mistake="dim_ignored")
        for n in range(3)
    ]

    assert len(troubles(view(checks))) == 1


def test_hidden_failures_are_not_folded_by_what_a_student_cannot_see():
    checks = [
        samples.check(f"c{n}", Outcome.FAILED, public=False, got="same", message="m")
        for n in range(2)
    ]

    assert len(troubles(view(checks, "student"))) == 2
    assert len(troubles(view(checks, "ta"))) == 1


def test_public_check_stands_for_its_group():
    checks = [
        samples.check("h", Outcome.ERROR, public=False, trace="KeyError: 1", line=3),
        samples.check("p", Outcome.ERROR, trace="KeyError: 1", line=3),
    ]
    (trouble,) = troubles(view(checks))

    assert trouble.check.title == "p"


def test_grader_fault_comes_last():
    checks = [
        samples.check("ours", Outcome.GRADER_ERROR),
        samples.check("theirs", Outcome.FAILED, public=False),
    ]

    assert titles(troubles(view(checks))) == ["theirs", "ours"]


def test_begun_exercises_are_mended_before_unwritten_ones():
    edition = build(samples.every_outcome(), COURSE, "student")
    steps = first_steps(edition, most=9)

    assert [s.exercise.name for s in steps] == [
        "masked_softmax",
        "bahdanau_attention",
        "packed_lstm",
        "forget_bias",
        "truncated_bptt",
    ]
    assert steps[-1].trouble is None


def test_full_marks_leave_nothing_to_mend():
    assert first_steps(build(samples.full_marks(), COURSE, "student")) == []
