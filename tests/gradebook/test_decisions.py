"""What people decide: in force, taken back, and what it does to points."""

import sqlite3
from decimal import Decimal

import msgspec
import pytest
from gradings import check, exercise, result, submission

from grader.dates import Rules
from grader.errors import UsageError
from grader.gradebook import Gradebook, New, decisions
from grader.results import Outcome

FAILED = Outcome.FAILED
DAYS = {"assignment": "w1", "deadline": "2026-05-04 12:00", "rate": "10"}


def graded(add="pass fail", mul=None, key="k"):
    """Exercises whose checks a (6 points) and b (4 points) passed or failed."""

    def one(name, words):
        kinds = [Outcome.PASSED if w == "pass" else FAILED for w in words.split()]
        checks = [check("a", "6", kinds[0]), check("b", "4", kinds[1])]
        return exercise(f"{key}-{name}-{words}", checks)

    found = {"add": one("add", add)}
    return found | ({"mul": one("mul", mul)} if mul else {})


def record(book, run, who, exercises=None, at=None, text=None):
    late = None if at is None else {"submitted_at": at, "time_source": "a file"}
    given = result(who, exercises or graded(), late=late)
    given.raw_score = given.score
    given.max_score = sum(e.max_score for e in given.exercises.values())
    files = None if text is None else {"add": text}
    book.record(run, given, submission(who, files, submitted_at=at))


def decide(book, kind, submission=None, exercise=None, check=None, **value):
    new = New(kind, "because", value, submission, exercise, check)
    return book.decide(new)


def dates(book, **more):
    rules = msgspec.convert({**DAYS, **more}, Rules)
    return decide(book, "dates", **msgspec.to_builtins(rules))


def score(book, who="s1"):
    return book.current(who).score


def test_late_days_take_points_and_both_scores_are_kept(book, run):
    record(book, run, "s1", at="2026-05-05T13:00:00")
    dates(book)
    found = book.current("s1")
    assert (found.raw_score, found.score) == (Decimal(6), Decimal("4.8"))
    assert found.late["days"] == 2
    assert found.late["deduction"] == "1.2"
    assert found.late["time_source"] == "a file"


def test_rate_of_the_maximum_never_takes_more_than_there_is(book, run):
    record(book, run, "s1", at="2026-05-05T13:00:00")
    dates(book, rate="40", rate_of="maximum")
    assert score(book) == 0


@pytest.mark.parametrize("marked", [True, False])
def test_unknown_time_costs_nothing_and_warns_the_ta(book, run, marked):
    given = result("s1", graded(), late={"submitted_at": None, "marked_late": marked})
    book.record(run, given, submission("s1"))
    dates(book)
    found = book.current("s1")
    assert found.score == 6
    words = "it is marked late, but nobody" if marked else "nobody knows when this was"
    assert any(words in w for w in found.warnings)


def test_extension_counts_for_its_student_alone(book, run):
    for who in ("s1", "s2"):
        record(book, run, who, at="2026-05-05T13:00:00")
    dates(book)
    decide(book, "extend", "s1", days=2)
    assert (score(book, "s1"), score(book, "s2")) == (6, Decimal("4.8"))
    assert book.current("s1").late["summary"] == "extended by 2 days"


def test_void_gives_everybody_the_points_or_takes_them_from_the_maximum(book, run):
    record(book, run, "s1", graded("pass fail"))
    record(book, run, "s2", graded("fail fail"))
    full = decide(book, "void", None, "add", "b", mode="full", points="4")
    assert (score(book, "s1"), score(book, "s2")) == (10, 4)
    assert book.current("s1").exercises["add"].status == "passed"
    told = book.current("s1").exercises["add"].warnings
    assert told == [
        'The check "Property b holds." does not count, everybody gets its points: '
        "because"
    ]
    book.decide(New("undo", "no", revokes=full))
    decide(book, "void", None, "add", "a", mode="out", points="6")
    assert (score(book, "s1"), book.current("s1").max_score) == (0, 4)
    assert (score(book, "s2"), book.current("s2").max_score) == (0, 4)


def test_adjustments_are_absolute_or_relative_and_stay_within_the_maximum(book, run):
    record(book, run, "s1")
    decide(book, "adjust", "s1", "add", points="-2", relative=True)
    assert score(book) == 4
    decide(book, "adjust", "s1", "add", points="9", relative=False)
    decide(book, "adjust", "s1", "add", points="3", relative=True)
    assert score(book) == 10
    words = book.current("s1").exercises["add"].warnings
    assert words[-1] == "Set from 9 to 10 points by hand: because"


def test_decisions_survive_a_regrading(book, run):
    record(book, run, "s1", graded("pass fail"))
    decide(book, "adjust", "s1", "add", points="1", relative=True)
    decide(book, "comment", "s1", "add", text="Look at row 2.")
    record(book, run, "s1", graded("fail pass"))
    assert score(book) == 5
    assert "Comment: Look at row 2." in book.current("s1").exercises["add"].warnings


def test_lateness_is_taken_off_what_adjustments_left(book, run):
    record(book, run, "s1", at="2026-05-04T13:00:00")
    dates(book)
    decide(book, "adjust", "s1", "add", points="10", relative=False)
    assert score(book) == 9


def test_never_lower_keeps_the_better_exercise_of_the_same_files(book, run):
    record(book, run, "s1", graded("pass pass", "fail fail"), text="x")
    decide(book, "never_lower", since=1)
    record(book, run, "s1", graded("pass fail", "fail pass"), text="x")
    found = book.current("s1")
    assert found.score == 14
    assert found.exercises["add"].warnings == [
        "The later grading gave 6 points; the better one, 10, is kept."
    ]
    record(book, run, "s1", graded("fail fail", "fail fail"), text="other files")
    assert score(book) == 0


def test_never_lower_does_not_bring_back_what_fell_before_it(book, run):
    record(book, run, "s1", graded("pass pass"), text="x")
    record(book, run, "s1", graded("pass fail"), text="x")
    decide(book, "never_lower", since=2)
    record(book, run, "s1", graded("fail fail"), text="x")
    assert score(book) == 6


def test_best_attempt_counts_after_lateness(book, run):
    record(book, run, "s1", graded("pass fail"), "2026-05-04T11:00:00", "early")
    record(book, run, "s1", graded("pass pass"), "2026-05-09T11:00:00", "late")
    dates(book)
    assert score(book) == 5  # the last one, five days late
    dates(book, attempts="best")
    found = book.current("s1")
    assert found.score == 6
    assert any("2 attempts; the best one counts" in w for w in found.warnings)


def test_regrading_replaces_an_attempt_and_is_none_of_its_own(book, run):
    dates(book, attempts="best")
    record(book, run, "s1", graded("pass pass"), "2026-05-04T11:00:00", "x")
    record(book, run, "s1", graded("pass fail"), "2026-05-04T11:00:00", "x")
    assert score(book) == 6


def test_undo_takes_back_and_undo_of_undo_brings_again(book, run):
    record(book, run, "s1")
    first = decide(book, "adjust", "s1", "add", points="1", relative=False)
    undo = book.decide(New("undo", "wrong one", revokes=first))
    assert score(book) == 6
    with pytest.raises(UsageError, match="decision 1 has been taken back already"):
        decisions.to_revoke(book.log(), first)
    assert decisions.to_revoke(book.log(), undo).id == undo
    book.decide(New("undo", "right one", revokes=undo))
    assert score(book) == 1
    assert [d.kind for d in book.log()] == ["adjust", "undo", "undo"]


def test_what_was_handed_back_cannot_be_undone(book):
    number = decide(book, "publish")
    with pytest.raises(UsageError, match="cannot be taken back"):
        decisions.to_revoke(book.log(), number)
    with pytest.raises(UsageError, match="there is no decision 7"):
        decisions.to_revoke(book.log(), 7)


def test_every_decision_has_author_time_and_reason(book):
    decide(book, "comment", "s1", "add", text="well done")
    (found,) = book.log()
    assert found.author
    assert found.decided_at.endswith("+00:00")
    assert (found.reason, found.value) == ("because", {"text": "well done"})


def test_trial_shows_what_would_be_and_leaves_nothing(book, run):
    record(book, run, "s1")
    with book.trial():
        decide(book, "adjust", "s1", "add", points="1", relative=False)
        assert score(book) == 1
    assert score(book) == 6
    assert book.log() == []


def views(path):
    db = sqlite3.connect(path)
    found = {
        "grades": dict(db.execute("SELECT submission, score FROM grades")),
        "exercises": db.execute("SELECT submission, score FROM exercises").fetchall(),
        "points": db.execute('SELECT "check", points, void FROM checks').fetchall(),
    }
    db.close()
    return found


def test_views_show_the_same_points_as_results(book, run, path):
    record(book, run, "s1", graded("pass fail"), at="2026-05-04T13:00:00")
    dates(book)
    decide(book, "void", None, "add", "b", mode="full", points="4")
    decide(book, "adjust", "s1", "add", points="-1", relative=True)
    seen = views(path)
    assert seen["grades"] == {"s1": "8.1"} == {"s1": str(score(book))}
    assert seen["exercises"] == [("s1", "9")]
    assert seen["points"] == [("a", "6", None), ("b", "4", "full")]
    record(book, run, "s2", graded("pass pass"))
    assert views(path)["grades"]["s2"] == "10"


def test_old_gradebook_gets_its_views_when_it_is_opened(book, run, path):
    record(book, run, "s1")
    book.close()
    with sqlite3.connect(path) as db:
        db.execute("DELETE FROM finals")
        db.execute("DELETE FROM settings WHERE name = 'finals'")
    db.close()
    Gradebook.open(path).close()
    assert views(path)["grades"] == {"s1": "6"}


def test_files_come_back_byte_for_byte(book, run):
    record(book, run, "s1", text="x = '加'\r\n")
    back = book.handed_in("s1")
    assert back.files["add"].data == "x = '加'\r\n".encode()
    assert back.digest() == submission("s1", {"add": "x = '加'\r\n"}).digest()
    assert book.handed_in("nobody") is None


def test_state_after_an_earlier_run_is_seen_with_todays_decisions(book):
    first = book.begin_run()
    record(book, first, "s1", graded("pass fail"), text="x")
    second = book.begin_run()
    record(book, second, "s1", graded("pass pass"), text="x")
    decide(book, "adjust", "s1", "add", points="-1", relative=True)
    scores = [[r.score for r in book.after_run(n)] for n in (first, second)]
    assert scores == [[5], [9]]
