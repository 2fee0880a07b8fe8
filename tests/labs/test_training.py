"""A lab is trained once, under its own budget, and judged in steps."""

from decimal import Decimal

from grader.results import Outcome
from grader.wire import MAX_NOTES


def outcomes(one):
    return {name: check.outcome for name, check in one.checks.items()}


def test_right_lab_earns_everything_though_the_submission_has_less_time(seen):
    one = seen["right"]
    assert set(outcomes(one).values()) == {Outcome.PASSED}
    assert one.result.score == Decimal(100)


def test_nothing_is_trained_while_a_cheap_check_fails(seen):
    wrong = seen["wrong"].checks
    assert wrong["doubles"].outcome is Outcome.FAILED
    assert wrong["fits_roughly"].outcome is Outcome.FAILED
    assert wrong["fits_roughly"].message == (
        "Not tried: another check has to pass first."
    )
    assert wrong["fits_roughly"].expected == '"Twice 3 is 6." passes'
    assert "fitting" not in wrong["fits_roughly"].output


def test_what_waits_for_unwritten_code_is_not_written_either(seen):
    assert set(outcomes(seen["unwritten"]).values()) == {Outcome.NOT_WRITTEN}
    assert seen["unwritten"].result.exercises["tiny"].status == "not_written"


def test_second_try_is_the_last_when_it_is_good_enough(seen):
    one = seen["second_try"]
    assert one.checks["fits_roughly"].output.count("fitting") == 2
    assert one.result.score == Decimal(100)


def test_best_of_three_tries_earns_the_steps_that_it_reaches(seen):
    one = seen["three_tries"]
    assert one.checks["fits_roughly"].output.count("fitting") == 3
    assert outcomes(one)["fits_well"] is Outcome.PASSED
    assert outcomes(one)["fits"] is Outcome.FAILED
    assert one.result.score == Decimal(80)


def test_try_that_ends_in_nan_is_worse_than_any_other(seen):
    assert seen["nan"].result.score == Decimal(80)
    assert seen["nan"].checks["fits_roughly"].output.count("fitting") == 3


def test_budget_stands_in_for_the_limit_of_a_check(seen):
    """0.8 s in a course whose checks may take 0.5 s."""
    assert seen["longer_than_a_check"].checks["fits_roughly"].outcome is Outcome.PASSED


def test_budget_is_the_end_of_a_training_without_end(seen):
    one = seen["without_end"]
    assert one.checks["fits_roughly"].outcome is Outcome.TIMEOUT
    assert one.checks["fits_roughly"].message == "Stopped after 2 s of computing."
    assert one.checks["fits_well"].outcome is Outcome.FAILED
    assert one.result.score == Decimal(20)


def test_comparison_is_shown_on_request_and_has_no_part_in_the_score(seen):
    asked, not_asked = seen["compared"].result, seen["right"].result
    assert [f.title for f in asked.exercises["tiny"].comparisons] == ["Few and many"]
    assert not_asked.exercises["tiny"].comparisons == []
    assert asked.score == not_asked.score == asked.max_score
    assert seen["compared"].checks.keys() == seen["right"].checks.keys()


def test_comparison_is_made_by_code_that_has_seen_no_hidden_input(seen):
    """It is shown to the student, as an example of a failing check is."""
    one = seen["compared_by_what_it_has_seen"]
    assert one.result.score == Decimal(100)
    (figure,) = one.result.exercises["tiny"].comparisons
    assert figure.curves[0].y == [3.0, 2.0]  # its first calls, not its second ones


def test_progress_comes_under_our_own_words_with_the_steps_of_all_calls(seen):
    exercise, label, note = seen["right"].told[0]
    assert (exercise, label) == ("tiny", "try 1")
    assert (note.step, note.steps, note.value) == (101, 999, 1.5)
    assert len(seen["right"].told) == 8


def test_chatty_training_is_cut_short_and_costs_nothing(seen):
    one = seen["chatty"]
    assert len(one.told) == MAX_NOTES
    assert one.result.score == Decimal(100)


def test_flood_of_notes_breaks_the_protocol_and_ends_the_worker(seen):
    check = seen["flood"].checks["fits_roughly"]
    assert check.outcome is Outcome.FAILED
    assert check.message == (
        f"The answer could not be read: more than {MAX_NOTES} notes of progress."
    )


def test_report_of_something_that_is_no_number_is_the_students_error(seen):
    check = seen["no_number"].checks["fits_roughly"]
    assert check.outcome is Outcome.ERROR
    assert "ValueError" in check.got
