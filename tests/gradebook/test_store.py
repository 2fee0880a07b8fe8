import json
import sqlite3
import stat
from decimal import Decimal

import pytest
from gradings import check, exercise, result, submission

from grader.errors import EnvironmentFault, UsageError
from grader.gradebook import TA_ONLY, Gradebook, is_ta_only
from grader.results import Outcome, to_json

FAULT = check(outcome=Outcome.GRADER_ERROR)


def test_result_comes_back_as_it_was_recorded(book, run):
    table = check(
        "commutes", "4", outcome=Outcome.FAILED, mistake="wrong_dim", hint="?"
    )
    given = result(
        "s001",
        {"add": exercise(checks=[check(), table])},
        warnings=["guessed a name"],
        versions={"torch": "2.13"},
        late={"days": 1},
        raw_score=Decimal("6.50"),
    )
    book.record(run, given, submission("s001"))
    assert book.current("s001") == given
    assert list(book.results()) == [given]
    assert list(book.lines()) == [to_json(given)]


def test_points_stay_exact_decimals(book, run, path):
    tenth = check(points="0.1")
    given = result(
        "s1", {"add": exercise(checks=[tenth] * 3)}, max_score=Decimal("1E+1")
    )
    book.record(run, given, submission("s1"))
    assert book.current("s1").score == Decimal("0.3")
    with sqlite3.connect(path) as db:
        assert db.execute("SELECT score, max_score FROM grades").fetchall() == [
            ("0.3", "10")
        ]
        assert db.execute("SELECT DISTINCT points FROM checks").fetchall() == [("0.1",)]
    db.close()


def test_results_stream_in_the_order_of_ids(book, run):
    for name in ("s3", "s1", "王", "s2"):
        book.record(run, result(name), submission(name))
    stream = book.results()
    assert next(stream).submission == "s1"
    assert [r.submission for r in stream] == ["s2", "s3", "王"]


def test_seed_is_secret_stable_and_replaced_only_on_request(path):
    with Gradebook.open(path) as first:
        seed = first.seed
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with Gradebook.open(path) as again:
        assert again.seed == seed
        assert len(seed) == 32
        assert again.new_seed() != seed
        assert again.seed != seed


def test_two_gradebooks_have_different_seeds(tmp_path):
    seeds = set()
    for name in ("a", "b"):
        with Gradebook.open(tmp_path / name) as book:
            seeds.add(book.seed)
    assert len(seeds) == 2


def test_settings_are_kept_and_lists_only_grow(book):
    assert book.get_setting("course") is None
    assert book.get_setting("course", "none") == "none"
    book.set_setting("course", "tiny")
    assert book.get_setting("course") == "tiny"
    assert book.widen_setting("exercises", ["add"]) == ["add"]
    assert book.widen_setting("exercises", ["mul", "add"]) == ["add", "mul"]


def test_run_that_never_finished_is_still_running(book):
    first = book.begin_run(["grade"], isolation="full", versions={"torch": "2"})
    second = book.begin_run(["grade"])
    book.finish_run(second, "interrupted", {"graded": 3})
    states = {r.id: (r.state, r.arguments, r.isolation) for r in book.runs()}
    assert states[first] == ("running", ["grade"], "full")
    assert states[second] == ("interrupted", ["grade"], "none")


def test_grader_error_never_replaces_an_earlier_score(book, run):
    book.record(run, result("s1"), submission("s1"))
    broken = result("s1", {"add": exercise("k2", [FAULT])}, status="grader_error")
    assert book.record(run, broken, submission("s1"))

    now = book.current("s1")
    assert (now.status, now.score) == ("graded", Decimal(10))
    assert now.warnings == [
        f"{TA_ONLY}run {run} ended in a grader error; the earlier score is kept."
    ]
    assert book.state("s1").status == "grader_error"


def test_score_after_a_grader_error_takes_its_place(book, run):
    broken = result("s1", {"add": exercise("k1", [FAULT])}, status="grader_error")
    book.record(run, broken, submission("s1"))
    assert book.current("s1").score is None
    book.record(run, result("s1"), submission("s1"))
    assert book.current("s1").score == Decimal(10)
    assert book.current("s1").warnings == []


@pytest.mark.parametrize(
    ("before", "after"), [("graded", "graded"), ("unreadable",) * 2]
)
def test_missing_hand_in_never_replaces_an_earlier_one(book, run, before, after):
    book.record(run, result("s1", status=before), submission("s1"))
    book.record(run, result("s1", {}, status="missing"), submission("s1", {}))
    assert book.current("s1").status == after


def test_unreadable_hand_in_replaces_an_earlier_score_but_not_the_history(
    book, run, path
):
    book.record(run, result("s1"), submission("s1"))
    book.record(
        run, result("s1", {}, status="unreadable"), submission("s1", {}, error="bad")
    )
    assert book.current("s1").status == "unreadable"
    with sqlite3.connect(path) as db:
        assert db.execute("SELECT status, score FROM gradings").fetchall() == [
            ("graded", "10"),
            ("unreadable", None),
        ]
    db.close()


def test_same_result_again_adds_nothing_whatever_time_it_took(book, run):
    assert book.record(run, result("s1", wall_s=1.0), submission("s1"))
    before = book.revision()
    assert not book.record(run, result("s1", wall_s=2.0, cpu_s=3.0), submission("s1"))
    assert book.revision() == before
    assert book.record(run, result("s1", warnings=["new"]), submission("s1"))
    assert book.revision() != before


@pytest.mark.parametrize(
    "table",
    ["handins", "exercise_results", "check_results", "gradings", "graded", "seeds"],
)
def test_history_can_be_neither_changed_nor_deleted(book, run, path, table):
    book.record(run, result("s1"), submission("s1"))
    db = sqlite3.connect(path)
    (column,) = db.execute(f"SELECT name FROM pragma_table_info('{table}')").fetchone()
    with pytest.raises(sqlite3.IntegrityError, match="never changes"):
        db.execute(f"UPDATE {table} SET {column} = {column}")
    with pytest.raises(sqlite3.IntegrityError, match="never deleted"):
        db.execute(f"DELETE FROM {table}")
    db.close()


def test_identical_hand_in_finds_the_result_of_the_first(book, run):
    book.record(
        run, result("s1", {"add": exercise("same")}), submission("s1", {"add": "x"})
    )
    assert book.cached("same") == exercise("same")
    assert book.cached("other") is None


def test_grader_errors_are_never_cached(book, run):
    not_run = check("commutes", outcome=Outcome.NOT_RUN)
    broken = {"add": exercise("k1", [FAULT]), "mul": exercise("k2", [not_run])}
    whole = {"sub": exercise("k3")}
    book.record(
        run, result("s1", broken | whole, status="grader_error"), submission("s1")
    )
    assert [book.cached(k) is None for k in ("k1", "k2", "k3")] == [True, True, False]


def test_check_that_the_spent_budget_left_out_is_cached(book, run):
    spent = {"add": exercise("k1", [check(outcome=Outcome.NOT_RUN)])}
    book.record(run, result("s1", spent), submission("s1"))
    assert book.cached("k1").checks[0].outcome is Outcome.NOT_RUN


def test_newest_result_under_a_key_is_the_one_used_again(book, run):
    for hint in ("old", "new"):
        book.record(
            run,
            result("s1", {"add": exercise("k", [check(hint=hint)])}),
            submission("s1"),
        )
    assert book.cached("k").checks[0].hint == "new"


def test_identical_hand_ins_are_grouped_and_only_the_ta_is_told(book, run):
    for name, text in (("s1", "x"), ("s2", "y"), ("s3", "x"), ("s4", "x"), ("s5", "x")):
        book.record(run, result(name), submission(name, {"add": text}))
    for name in ("e1", "e2"):  # nothing handed in is no copy
        book.record(run, result(name, {}, status="missing"), submission(name, {}))

    assert book.identical() == [["s1", "s3", "s4", "s5"]]
    (warning,) = book.current("s1").warnings
    assert warning == (
        "For the TA: every file is identical to those of s3, s4, s5; graded once."
    )
    assert is_ta_only(warning)
    assert book.current("s2").warnings == book.current("e1").warnings == []
    streamed = {json.loads(line)["submission"]: line for line in book.lines()}
    assert streamed["s1"] == to_json(book.current("s1"))


def test_many_identical_hand_ins_are_counted_not_listed(book, run):
    for n in range(6):
        book.record(run, result(f"s{n}"), submission(f"s{n}", {"add": "x"}))
    assert "s1, s2, s3 and 2 more;" in book.current("s0").warnings[0]


def test_state_says_what_the_latest_grading_was_made_from(book, run):
    assert book.state("s1").keys == {}
    assert book.known("s1", "add") is None
    book.record(run, result("s1", {"add": exercise("k7")}), submission("s1"))
    assert book.known("s1", "add") == "k7"
    assert book.known("s1", "mul") is None
    assert book.state("s1").digest == submission("s1").digest()
    assert book.current("nobody") is None


def test_views_show_the_current_state_alone(book, run, path):
    bad = check(outcome=Outcome.FAILED, mistake="wrong_dim")
    book.record(run, result("s1", {"add": exercise("k1", [bad])}), submission("s1"))
    book.record(run, result("s2", {"add": exercise("k1", [bad])}), submission("s2"))
    book.record(
        run, result("s1", {"add": exercise("k2")}), submission("s1", {"add": "y"})
    )
    db = sqlite3.connect(path)
    ask = lambda q: db.execute(q).fetchall()  # noqa: E731
    assert ask("SELECT submission, score FROM grades") == [("s1", "10"), ("s2", "0")]
    assert ask("SELECT submission, mistake, checks FROM mistakes") == [
        ("s2", "wrong_dim", 1)
    ]
    assert ask('SELECT submission, "check", outcome FROM checks ORDER BY 1, 2') == [
        ("s1", "adds", "passed"),
        ("s1", "commutes", "passed"),
        ("s2", "adds", "failed"),
    ]
    db.close()


def test_failure_in_the_middle_of_recording_leaves_nothing_behind(book, run):
    broken = result("s1")
    broken.exercises["mul"] = exercise("k2")
    broken.exercises["mul"].checks[1].id = None  # breaks a NOT NULL
    with pytest.raises(sqlite3.IntegrityError, match="check_id"):
        book.record(run, broken, submission("s1"))
    assert book.current("s1") is None
    assert book.cached("k1") is None
    book.record(run, result("s1"), submission("s1"))
    assert book.current("s1").score == Decimal(10)


def test_file_that_is_no_gradebook_is_refused_and_left_alone(tmp_path):
    text = tmp_path / "notes.txt"
    text.write_bytes(b"not a database, but long enough to be looked at" * 40)
    with pytest.raises(UsageError, match="is not a gradebook"):
        Gradebook.open(text)
    assert text.read_bytes().startswith(b"not a database")

    other = tmp_path / "other.sqlite"
    db = sqlite3.connect(other)
    db.execute("CREATE TABLE t (x)")
    db.commit()
    db.close()
    with pytest.raises(UsageError, match="but not a gradebook"):
        Gradebook.open(other)


def test_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(EnvironmentFault, match=r"nowhere/g\.sqlite cannot be created"):
        Gradebook.open(tmp_path / "nowhere" / "g.sqlite")
