import io

import pytest
import report_samples as samples
from rich.cells import cell_len
from rich.console import Console

from grader.report.editions import build
from grader.report.progress import progress
from grader.report.summary import print_batch_summary
from grader.report.terminal import print_result

COURSE = samples.course()


def show(result, width=80, kind="student", **options):
    out = io.StringIO()
    console = Console(file=out, width=width)
    print_result(console, build(result, COURSE, kind), **options)
    return out.getvalue()


def softmax(*checks, **fields):
    return samples.result(
        {"masked_softmax": samples.exercise(list(checks), **fields)}, **fields
    )


def test_failed_check_is_shown_with_what_was_expected_and_got():
    check = samples.check(
        "A fully masked row gives no NaN, forward or backward",
        samples.Outcome.FAILED,
        max_points="3",
        message="weights of the masked row",
        expected="finite numbers",
        got="NaN in 5 of 5",
        hint="Softmax of a row that is all -inf is 0/0. What should that row be?",
    )

    assert """
FAIL  A fully masked row gives no NaN, forward or backward  0/3
      weights of the masked row
      expected: finite numbers
      got:      NaN in 5 of 5
      hint:     Softmax of a row that is all -inf is 0/0. What should that row
                be?
""" in show(softmax(check))


@pytest.mark.parametrize("outcome", samples.Outcome)
def test_every_verdict_is_a_word(outcome):
    said = {
        "passed": "pass",
        "failed": "FAIL",
        "error": "ERROR",
        "timeout": "TIMEOUT",
        "crashed": "CRASHED",
        "not_written": "NOT WRITTEN",
        "not_run": "NOT RUN",
        "grader_error": "GRADER ERROR",
    }
    checks = [samples.check("the sentence", outcome), samples.check("another")]
    text = show(softmax(*checks), verbose=True)

    assert f"{said[outcome.value]}  the sentence" in text


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("kind", ["student", "ta"])
def test_no_line_is_wider_than_the_terminal(width, kind):
    result = samples.every_outcome(
        "王小明的一份很长很长的作业" * 3, warnings=["很长的警告" * 30]
    )
    lines = show(result, width, kind, verbose=True).splitlines()

    assert max(map(cell_len, lines)) <= width
    assert not any(line != line.rstrip() for line in lines)


def test_wide_characters_keep_the_columns_in_line():
    check = samples.check("被掩的位置权重为零", samples.Outcome.FAILED, got="权重 0.1")
    part = samples.exercise([check])
    result = samples.result({"masked_softmax": part, "练习": part})
    lines = show(result).splitlines()
    rows = [line for line in lines if line.endswith("0/10") and "failed" in line]

    assert len(rows) == 2
    assert {cell_len(line.partition("failed")[0]) for line in rows} == {
        cell_len(rows[0].partition("failed")[0])
    }


def test_hidden_checks_are_named_even_when_all_public_ones_pass():
    text = show(softmax(samples.check("a"), samples.check("b")))

    assert "public: 2 of 2; hidden checks decide the rest\n" in text


def test_unwritten_exercise_is_one_line_without_a_traceback():
    checks = [
        samples.check(f"c{n}", samples.Outcome.NOT_WRITTEN, trace="NotImplementedError")
        for n in range(5)
    ]
    for verbose in (False, True):
        text = show(softmax(*checks), verbose=verbose)
        assert text.count("NOT WRITTEN") == 1
        assert "Error" not in text


def test_exercises_without_a_file_share_one_line():
    missing = samples.exercise([], status="missing")
    result = samples.result({"masked_softmax": missing, "packed_lstm": missing})
    text = show(result)

    assert text.count("NO FILE") == 1
    assert "NO FILE   masked_softmax, packed_lstm\n" in text


def test_file_that_cannot_be_used_says_why():
    blocked = samples.exercise(
        [], status="missing", warnings=["packed_lstm.py holds null bytes."]
    )

    assert "note:     packed_lstm.py holds null bytes.\nNO FILE" in show(
        samples.result({"packed_lstm": blocked})
    )


def test_markup_in_students_text_is_shown_as_it_is():
    check = samples.check(
        "x", samples.Outcome.FAILED, got="[red]not red[/red] :smile: [link=x]y[/]"
    )

    assert "[red]not red[/red] :smile: [link=x]y[/]" in show(softmax(check))


def test_consequences_are_folded_and_counted():
    checks = [
        samples.check(f"check {n}", samples.Outcome.ERROR, trace="KeyError: 1", line=4)
        for n in range(9)
    ]
    text = show(softmax(*checks))

    assert text.count("at your line 4") == 1
    assert "the same for 8 more checks (80 points):" in text
    assert "- and 5 more" in text


def test_start_with_names_one_thing_to_mend():
    text = show(samples.every_outcome()).replace("\n", " ")

    assert "start with masked_softmax: Rows along the last axis sum to 1" in text


def test_no_colours_where_the_output_is_no_terminal():
    assert "\x1b" not in show(samples.every_outcome())


@pytest.mark.parametrize(("value", "coloured"), [(None, True), ("1", False)])
def test_no_color_in_the_environment_is_obeyed(monkeypatch, value, coloured):
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    if value:
        monkeypatch.setenv("NO_COLOR", value)
    out = io.StringIO()
    console = Console(file=out, width=80, force_terminal=True, color_system="standard")
    print_result(console, build(samples.every_outcome(), COURSE, "student"))

    assert ("\x1b[1;31mFAIL" in out.getvalue()) is coloured


def summary(results, **options):
    out = io.StringIO()
    print_batch_summary(Console(file=out, width=80), results, COURSE, **options)
    return out.getvalue()


def test_summary_counts_and_ends_with_the_page_to_open():
    text = summary(samples.batch(60), index="out/index.html")

    assert text.startswith("60 submissions: 57 graded, 2 grader errors, 1 unreadable;")
    assert text.endswith("open out/index.html\n")


def test_summary_of_a_large_class_lists_what_needs_a_look():
    results = samples.batch(100)
    text = summary(results)
    bad = next(r for r in results if r.status == "unreadable").submission
    fine = samples.full_marks("s_fine")

    assert bad in text
    assert "s_fine" not in summary([*results, fine])


def test_summary_of_a_small_class_lists_everybody_by_name():
    text = summary([samples.full_marks()], names={"s003": "王小明"})

    assert "s003 王小明" in text


def test_summary_points_at_the_suspicious_check():
    assert "look at this check first: packed_lstm: Two directions" in summary(
        samples.batch(60)
    )


def test_summary_of_nothing_is_calm():
    assert summary([]) == "0 submissions: none\n"


def advance_all(console, results):
    with progress(console, len(results)) as bar:
        for result in results:
            bar.advance(result)
    return bar


def test_progress_without_a_terminal_is_ten_lines_without_escapes():
    out = io.StringIO()
    advance_all(Console(file=out, width=80), samples.batch(50))
    lines = out.getvalue().splitlines()

    assert len(lines) == 10
    assert lines[-1].startswith("graded 50 of 50 (")
    assert "\x1b" not in out.getvalue()


def test_progress_counts_what_goes_wrong():
    results = [
        samples.full_marks(),
        samples.every_outcome(),
        samples.grader_fault(),
        samples.result(status="missing"),
    ]
    bar = advance_all(Console(file=io.StringIO(), width=80), results)

    assert bar.words == "1 full marks, 1 below, 1 without score, 1 grader error"


def test_progress_bar_on_a_terminal_shows_rate_and_failures():
    out = io.StringIO()
    console = Console(file=out, width=100, force_terminal=True, legacy_windows=False)
    advance_all(console, samples.batch(30))

    assert "30/30" in out.getvalue()
    assert "below" in out.getvalue()


def test_one_submission_has_no_bar():
    out = io.StringIO()
    advance_all(Console(file=out, force_terminal=True), [samples.full_marks()])

    assert out.getvalue() == ""
