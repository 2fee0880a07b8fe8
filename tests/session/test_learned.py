"""What one session has learned of a mistake spares another the work."""

import numpy as np
import pytest

from grader import spread
from grader.results import Outcome
from grader.session.journal import Record
from grader.session.naming.learned import Known, Shelf
from grader.submission import as_submission

KNOWN = Known(
    {"one": Outcome.PASSED, "two": Outcome.FAILED},
    {
        "one": Record(b"form", np.array([1.5, np.nan, -np.inf], np.float32)),
        "two": Record(b"", np.zeros(0, np.float32), whole=False),
    },
    whole=True,
)


def test_what_is_put_there_is_found_there(tmp_path):
    Shelf(tmp_path).put("s", "packed_lstm", "sorts", KNOWN)
    found = Shelf(tmp_path).get("s", "packed_lstm", "sorts")
    assert found is not None
    assert (found.outcomes, found.whole) == (KNOWN.outcomes, True)
    for check, record in KNOWN.records.items():
        assert found.records[check].form == record.form
        assert found.records[check].whole == record.whole
        np.testing.assert_array_equal(found.records[check].numbers, record.numbers)


@pytest.mark.parametrize(
    "other",
    [("t", "packed_lstm", "sorts"), ("s", "gru", "sorts"), ("s", "packed_lstm", "")],
)
def test_nothing_is_found_of_another_seed_exercise_or_module(tmp_path, other):
    Shelf(tmp_path).put("s", "packed_lstm", "sorts", KNOWN)
    assert Shelf(tmp_path).get(*other) is None


def test_a_file_cut_short_or_a_folder_that_is_gone_is_as_good_as_nothing(tmp_path):
    shelf = Shelf(tmp_path / "gone")
    shelf.put("s", "packed_lstm", "sorts", KNOWN)
    assert shelf.get("s", "packed_lstm", "sorts") is None
    shelf = Shelf(tmp_path)
    shelf.put("s", "packed_lstm", "sorts", KNOWN)
    (file,) = tmp_path.iterdir()
    file.write_bytes(file.read_bytes()[:-3])
    assert shelf.get("s", "packed_lstm", "sorts") is None


def test_a_session_names_by_what_another_learned_and_runs_no_mistake(course, tmp_path):
    """The second names the same mistake, with nothing run on its side."""

    def named(grader, name):
        grader.shelf = Shelf(tmp_path)
        ran, run = [], grader.run_exercise

        def counted(submission, *args, **options):
            ran.append(submission.id)
            return run(submission, *args, **options)

        grader.run_exercise = counted
        path = course.folder("mistakes") / name / "no_tanh.py"
        result = grader.grade_exercise(as_submission(path, name, "student"), name)
        return {c.mistake for c in result.result.checks} - {None}, ran

    ((first, ran), *_) = spread.in_session(course, ["rnn_cell"], named)
    ((second, then), *_) = spread.in_session(course, ["rnn_cell"], named)
    assert first == second != set()
    assert len(ran) > len(then) == 1
