import json
import os
import signal
from decimal import Decimal

import msgspec
import pytest
from gradings import submission

from grader.batch import Done, Drained
from grader.course import load_course
from grader.dates import Rules
from grader.errors import CourseError, EnvironmentFault
from grader.gradebook import TA_ONLY, New, database, store
from grader.submission import Source


def hand_ins(count, text="unique"):
    return [
        submission(f"s{n:03}", {"add": f"{text} {n}", "mul": "y" * (n % 7 + 1)})
        for n in range(count)
    ]


def without_times(path):
    rows = [json.loads(line) for line in path.read_bytes().splitlines()]
    for row in rows:
        del row["wall_s"], row["cpu_s"]
    return rows


def test_every_submission_is_graded_summed_up_and_written(bench):
    summary = bench.grade(hand_ins(7))
    assert (summary.done, summary.graded, summary.total) == (7, 7, 7)
    assert summary.grader_errors == []
    assert not summary.interrupted
    one = bench.current("s003")
    assert (one.status, one.score, one.max_score) == (
        "graded",
        Decimal(12),
        Decimal(20),
    )
    assert one.raw_score == one.score
    assert list(one.exercises) == ["add", "mul"]
    assert one.versions["msgspec"]
    assert [r["submission"] for r in without_times(bench.results)] == [
        f"s{n:03}" for n in range(7)
    ]
    with bench.book() as book:
        assert [r.state for r in book.runs()] == ["finished"]
        assert one.seed == book.seed


def test_hand_ins_that_are_let_go_are_graded_like_others(bench):
    work = hand_ins(9)
    summary = bench.grade(Drained(work), only=[f"s{n:03}" for n in range(7)])
    assert (summary.done, summary.graded, summary.total) == (7, 7, 7)
    assert {d.submission for d in bench.done} == {f"s{n:03}" for n in range(7)}
    assert work == []


def test_hand_in_of_an_older_bundle_is_warned_about_and_its_hash_repeated(bench):
    older, newer, unknown = hand_ins(3)
    older.bundle, newer.bundle = "0.0.9", "99.1"
    bench.grade([older, newer, unknown])
    row = bench.current("s000")
    assert row.bundle == "0.0.9"
    assert any("version 0.0.9 of the student bundle" in w for w in row.warnings)
    for other in ("s001", "s002"):
        assert not any("bundle" in w for w in bench.current(other).warnings)
    assert row.exercises["add"].sha256 == older.files["add"].sha256


def test_second_run_has_nothing_to_do(bench):
    bench.grade(hand_ins(5))
    before = bench.results.stat()
    bench.forget()
    summary = bench.grade(hand_ins(5))
    assert bench.graded() == {}
    assert bench.backends == []
    assert (summary.done, summary.reused, summary.graded) == (5, 5, 0)
    assert bench.results.stat().st_mtime_ns == before.st_mtime_ns
    assert bench.done[-1] == Done(
        "s004", "graded", Decimal(13), Decimal(20), reused=True
    )


def test_results_file_that_was_lost_is_written_again(bench):
    bench.grade(hand_ins(2))
    before = bench.results.read_bytes()
    bench.results.write_bytes(b"cut")
    bench.grade(hand_ins(2))
    assert bench.results.read_bytes() == before


def test_jobs_and_order_change_nothing_but_times(tmp_path, bench):
    work = [
        *hand_ins(12),
        submission("bad", {}, error="no zip"),
        submission("twin", {"add": "unique 3"}),
    ]
    with bench.book() as book:
        seed = book.seed
    rows = []
    for jobs, order in ((1, 1), (3, -1)):
        bench.path.with_name("results.jsonl").unlink(missing_ok=True)
        bench.grade(work[::order], jobs=jobs, regrade=True)
        rows.append(without_times(bench.results))
    assert rows[0] == rows[1]
    assert rows[0][1]["seed"] == seed


def test_changed_suite_regrades_its_exercise_alone(bench):
    bench.grade(hand_ins(3))
    bench.forget()
    (bench.course.root / "suites" / "hidden_mul.py").write_text("# better")
    bench.course = load_course(bench.course.root)
    bench.grade(hand_ins(3))
    assert bench.graded() == {(f"s{n:03}", "mul"): 1 for n in range(3)}


def test_changed_file_regrades_all_of_that_submission_alone(bench):
    work = hand_ins(3)
    bench.grade(work)
    bench.forget()
    work[1] = submission("s001", {"add": "points 3", "mul": "points 4"})
    bench.grade(work)
    assert bench.graded() == {("s001", "add"): 1, ("s001", "mul"): 1}
    assert bench.current("s001").score == Decimal(7)


def test_regrade_only_and_exercise_narrow_what_is_run(bench):
    bench.grade(hand_ins(3))
    bench.forget()
    summary = bench.grade(hand_ins(3), regrade=True, only=["s001"], exercises=["mul"])
    assert bench.graded() == {("s001", "mul"): 1}
    assert (summary.done, summary.total) == (1, 1)
    assert len(without_times(bench.results)) == 3


def test_exercise_that_was_not_asked_for_keeps_its_outdated_result(bench):
    bench.grade(hand_ins(1))
    bench.forget()
    for name in ("add", "mul"):
        (bench.course.root / "suites" / f"public_{name}.py").write_text("# new")
    bench.course = load_course(bench.course.root)
    bench.grade(hand_ins(1), exercises=["add"])
    assert bench.graded() == {("s000", "add"): 1}
    assert list(bench.current("s000").exercises) == ["add", "mul"]


def test_maximum_counts_only_exercises_that_were_ever_asked_for(bench):
    bench.grade(hand_ins(2), exercises=["add"])
    assert bench.current("s000").max_score == Decimal(10)
    bench.grade(hand_ins(2), exercises=["mul"])
    assert bench.current("s000").max_score == Decimal(20)
    assert bench.graded()[("s000", "add")] == 1


def test_unknown_exercise_is_refused(bench):
    with pytest.raises(CourseError, match="did you mean: add"):
        bench.grade([], exercises=["ad"])


@pytest.mark.parametrize("regrade", [False, True])
def test_identical_submissions_are_graded_once_and_say_so(bench, regrade):
    work = [submission(f"s{n}", {"add": "same", "mul": "same"}) for n in range(6)]
    bench.grade(work)
    bench.forget()
    if regrade:
        bench.grade(work, regrade=True)
        assert bench.graded().total() == 2
    scores = {bench.current(w.id).score for w in work}
    assert scores == {Decimal(8)}
    assert (
        bench.current("s0").warnings[0].startswith(f"{TA_ONLY}every file is identical")
    )


def test_identical_submissions_in_one_batch_ask_the_session_once(bench):
    work = [submission(f"s{n}", {"add": "same", "mul": "same"}) for n in range(6)]
    summary = bench.grade(work, jobs=3)
    assert bench.graded().total() == 2
    assert summary.identical == [[f"s{n}" for n in range(6)]]
    assert (summary.graded, summary.reused) == (1, 5)


def test_unreadable_and_missing_become_rows_without_a_session(bench):
    work = [submission("bad", {}, error="The zip is cut off."), submission("none", {})]
    summary = bench.grade(work)
    assert (summary.unreadable, summary.missing) == (1, 1)
    assert bench.backends == []
    bad = bench.current("bad")
    assert (bad.status, bad.score, bad.message) == (
        "unreadable",
        None,
        "The zip is cut off.",
    )
    assert bench.current("none").status == "missing"


def test_hand_in_without_a_usable_file_is_graded_not_missing(bench):
    bench.grade([submission("s1", {}, unused=["essay.pdf"])])
    assert bench.current("s1").status == "graded"


def test_points_never_pass_the_maximum_of_the_catalogue(bench):
    bench.grade([submission("s1", {"add": "points 40", "mul": "points -3"})])
    one = bench.current("s1")
    assert (one.score, one.max_score) == (Decimal(10), Decimal(20))
    assert one.exercises["mul"].score == 0


def test_time_of_the_hand_in_is_kept(bench):
    bench.grade([submission("s1", late=True, submitted_at="2026-01-02T03:04:05+00:00")])
    assert bench.current("s1").late == {
        "submitted_at": "2026-01-02T03:04:05+00:00",
        "time_source": "",
        "marked_late": True,
    }


def test_id_that_comes_twice_loses_neither_submission(bench):
    work = [
        submission("lee", {"add": "points 1"}),
        submission("lee", {"add": "points 2"}),
    ]
    bench.grade(work)
    assert bench.current("lee").exercises["add"].score == 1
    again = bench.current("lee~2")
    assert again.exercises["add"].score == 2
    assert again.warnings == [f"{TA_ONLY}the id lee came 2 times; this is lee~2."]


def test_session_that_dies_once_is_restarted_and_nothing_is_lost(bench, tmp_path):
    work = hand_ins(6)
    work[2] = submission("s002", {"add": f"die-once {tmp_path / 'marker'}"})
    summary = bench.grade(work)
    assert summary.graded == 6
    assert bench.graded()[("s002", "add")] == 2
    assert sum(bench.graded()[(f"s{n:03}", "add")] for n in range(6)) == 7


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("die", "the session ended (signal 9) (tried 3 times)"),
        ("garbage", "the session's answer cannot be read"),
        ("wrong-id", "the session answered another request"),
        ("hang", "the session did not answer in time (tried 3 times)"),
    ],
)
def test_submission_that_no_session_survives_is_a_grader_error(bench, text, why):
    work = [*hand_ins(3), submission("zz", {"add": text})]
    summary = bench.grade(work, wall_s=3.0)
    assert summary.grader_errors == ["zz"]
    assert summary.graded == 3
    row = bench.current("zz")
    assert (row.status, row.score, row.max_score) == ("grader_error", None, Decimal(20))
    assert row.message.startswith(f"no session survived it: {why}")


def test_last_words_of_a_session_reach_the_ta(bench, tmp_path):
    bench.grade([submission("s1"), submission("zz", {"add": "die-once /nowhere/x"})])
    assert "FileNotFoundError" in bench.current("zz").message


def test_grader_error_is_tried_again_by_the_next_run_and_only_it(bench):
    work = [*hand_ins(2), submission("zz", {"add": "fault", "mul": "points 4"})]
    summary = bench.grade(work)
    assert summary.grader_errors == ["zz"]
    assert bench.current("zz").score is None
    bench.forget()
    bench.grade(work)
    assert bench.graded() == {("zz", "add"): 1}  # the other exercise was sound


def test_grader_error_leaves_an_earlier_score_and_is_reported(bench):
    bench.grade([submission("s1", {"add": "points 5"})])
    summary = bench.grade([submission("s1", {"add": "fault"})])
    assert summary.grader_errors == ["s1"]
    assert bench.current("s1").exercises["add"].score == 5
    assert "ended in a grader error" in bench.current("s1").warnings[0]


def test_sessions_that_cannot_start_end_the_batch(bench):
    with pytest.raises(
        EnvironmentFault, match=r"no session can be started.*cannot import"
    ):
        bench.grade(hand_ins(50), more=["broken"])
    with bench.book() as book:
        assert [r.state for r in book.runs()] == ["failed"]
    assert len(bench.done) < 5
    assert bench.results.exists()


def test_submissions_are_taken_a_few_at_a_time(bench):
    """A generator of hand-ins is never far ahead of what has been recorded."""
    ahead = []

    def stream():
        for n, one in enumerate(hand_ins(30)):
            ahead.append(n - len(bench.done))
            yield one

    summary = bench.grade(stream(), jobs=2)
    assert summary.total is None
    assert summary.done == 30
    assert max(ahead) <= 4


def test_interrupt_stops_keeps_what_is_done_and_says_how_to_go_on(bench):
    work = hand_ins(40)

    def interrupt(done, summary):
        bench.done.append(done)
        if len(bench.done) == 5:
            os.kill(os.getpid(), signal.SIGINT)

    before = signal.getsignal(signal.SIGINT)
    summary = bench.grade(work, on_result=interrupt)
    assert summary.interrupted
    assert 5 <= summary.done < 40
    assert summary.message == (
        f"Stopped after {summary.done} of 40 submissions; all of them are kept in "
        f"{bench.path}. Run the same command again to go on from there."
    )
    assert signal.getsignal(signal.SIGINT) is before
    assert len(without_times(bench.results)) == summary.done
    with bench.book() as book:
        assert book.runs()[-1].state == "interrupted"

    first = bench.graded()
    rest = bench.grade(work)
    assert rest.reused == summary.done
    again = [k for k, count in bench.graded().items() if count > 1]
    assert len(again) <= 4 * 2  # only what was in flight
    assert len(first) >= 10


def test_interrupt_does_not_wait_for_a_session_that_hangs(bench, tmp_path):
    work = [submission("s0", {"add": "points 1"}), submission("s1", {"add": "hang"})]

    def interrupt(done, summary):
        os.kill(os.getpid(), signal.SIGINT)

    summary = bench.grade(work, wall_s=600, on_result=interrupt)
    assert summary.interrupted
    assert summary.wall_s < 30


def test_no_session_outlives_the_batch(bench):
    bench.grade(hand_ins(4))
    for line in bench.log.read_text().splitlines():
        with pytest.raises(ProcessLookupError, match="No such process"):
            os.kill(int(line.split()[0]), 0)


def test_result_of_a_twin_is_shown_under_ones_own_file_name(bench):
    """A name as handed in may be that of a student."""
    first = submission("s1", {"add": "same", "mul": "same"})
    second = submission("s2", {"add": "same", "mul": "same"})
    for one in (first, second):
        source = one.files["add"]
        one.files["add"] = Source(
            "add", f"{one.id}/add.py", source.data, text=source.text
        )
    bench.grade([first, second])
    for name in ("s1", "s2"):
        assert bench.current(name).exercises["add"].source == f"{name}/add.py"
    assert bench.graded().total() == 2
    bench.grade([first, second])
    assert bench.graded().total() == 2


def test_what_changed_is_told_apart_from_what_was_run(bench):
    twins = [submission(f"s{n}", {"add": "same", "mul": "same"}) for n in range(2)]
    bench.grade(twins)
    assert [(d.reused, d.changed) for d in bench.done] == [(False, True), (True, True)]
    bench.done.clear()
    bench.grade(twins)
    assert [(d.reused, d.changed) for d in bench.done] == [(True, False)] * 2


def decide(bench, kind, submission, exercise=None, **value):
    with bench.book() as book:
        book.decide(New(kind, "because", value, submission, exercise))


def test_more_time_or_another_name_grades_that_student_alone_again(bench):
    class_ = [submission("s1"), submission("s2")]
    bench.grade(class_)
    bench.forget()
    decide(bench, "time_factor", "s1", factor="2")
    decide(bench, "alias", "s2", "add", asked="add", name="plus")
    bench.grade([submission("s1"), submission("s2")])
    assert set(bench.graded()) == {("s1", "add"), ("s1", "mul"), ("s2", "add")}
    bench.forget()
    bench.grade([submission("s1"), submission("s2")])
    assert not bench.graded()


def test_session_is_told_of_more_time_and_of_other_names(bench):
    bench.grade([submission("s1")], exercises=["add"])
    decide(bench, "time_factor", "s1", factor="1.5")
    decide(bench, "alias", "s1", "add", asked="add", name="plus")
    bench.grade([submission("s1", {"add": "agreed"})], exercises=["add"])
    told = bench.current("s1").exercises["add"].checks[0].message
    assert told == '[1.5,{"add":{"add":"plus"}}]'


def attempt(text, at):
    """What s1 handed in at ``at``; the first word and number say its points."""
    return submission("s1", {"add": text}, submitted_at=at)


def test_earlier_attempt_is_graded_again_and_may_become_the_best(bench):
    early, late = "2026-01-01T10:00:00", "2026-01-02T10:00:00"
    for text, at in (("points 4 a", early), ("points 6 b", late)):
        bench.grade([attempt(text, at)], exercises=["add"])
    with bench.book() as book:
        rules = Rules(assignment="w", deadline="2026-02-01 10:00", attempts="best")
        book.decide(New("dates", "t", msgspec.to_builtins(rules)))
        (kept,) = book.earlier_attempts()
    assert kept.files["add"].text == "points 4 a"
    assert bench.current("s1").score == 6
    # A mended suite: what was worth 4 is worth 9 now, and the last attempt 6 still.
    suite = bench.course.root / "suites" / "public_add.py"
    suite.write_text("# mended\n")
    again = msgspec.structs.replace(kept.files["add"], text="points 9 a")
    kept.files["add"] = again  # the same bytes, so the same hand-in
    bench.grade([kept], exercises=["add"], earlier=True)
    found = bench.current("s1")
    assert found.score == 9
    assert any("2 attempts; the best one counts" in w for w in found.warnings)
    with bench.book() as book:
        assert book.state("s1").digest == attempt("points 6 b", late).digest()
        scores = [[r.score for r in book.after_run(run)] for run in (1, 2, 3)]
    assert scores == [[4], [6], [9]]
    done = len(bench.done)
    bench.grade([kept], exercises=["add"], earlier=True)
    assert not bench.done[done].changed  # the same again adds nothing


def test_disk_that_fills_up_is_told_and_the_next_run_goes_on(bench, monkeypatch):
    def nearly_full(path):
        db = database.connect(path)
        (pages,) = db.execute("PRAGMA page_count").fetchone()
        db.execute(f"PRAGMA max_page_count = {pages + 6}")
        return db

    bench.grade(hand_ins(1))
    bench.results.unlink()
    bench.results.mkdir()  # this cannot be written either, and comes later
    with monkeypatch.context() as patch:
        patch.setattr(store, "connect", nearly_full)
        with pytest.raises(EnvironmentFault, match="no room left to grow; make some"):
            bench.grade(hand_ins(40))
    bench.results.rmdir()
    before = len(bench.done)
    assert 1 < before < 41
    summary = bench.grade(hand_ins(40))
    assert (summary.done, summary.reused) == (40, before - 1)
    assert len(without_times(bench.results)) == 40
