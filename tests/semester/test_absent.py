"""Rows that the same hand-ins gave earlier and do not give any more."""

import pytest
from gradings import exercise, result, submission

from grader.gradebook import Gradebook, is_ta_only
from grader.semester import absent


@pytest.fixture
def book(tmp_path):
    with Gradebook.open(tmp_path / "gradebook.sqlite") as book:
        yield book


@pytest.fixture
def grade(book):
    """Settle and record who -> text of its file, read from ``paths``."""

    def grade(paths, **files):
        found = [submission(who, {"add": text}) for who, text in files.items()]
        notes = absent.settle(book, paths, found)
        run = book.begin_run()
        for one in found:
            book.record(run, result(one.id, {"add": exercise(one.id)}), one)
        return notes

    return grade


def counting(book):
    return [r.submission for r in book.results()]


def marked(book):
    return [r.submission for r in book.results() if r.warnings]


def test_folder_that_was_renamed_leaves_no_row_behind(book, grade, tmp_path):
    assert grade([tmp_path], ann="1", bob="2") == []
    (note,) = grade([tmp_path], ann_lee="1", bob="2")
    assert "left out" in note
    assert "names: ann." in note
    assert counting(book) == ["ann_lee", "bob"]
    assert book.connection.execute("SELECT count(*) FROM finals").fetchone() == (2,)


def test_work_that_is_nowhere_any_more_is_kept_and_marked(book, grade, tmp_path):
    grade([tmp_path], ann="1", bob="2")
    revision = book.revision()
    assert grade([tmp_path], bob="2") == [
        "not in this hand-in, kept from an earlier run: ann."
    ]
    assert counting(book) == ["ann", "bob"]
    assert book.revision() != revision
    (warning,) = book.current("ann").warnings
    assert is_ta_only(warning)
    assert "from an earlier run" in warning
    assert grade([tmp_path], bob="2") != []  # it is said as long as it is so
    assert grade([tmp_path], ann="1", bob="2") == []
    assert marked(book) == []


def test_same_archive_decides_alone_and_who_comes_back_counts_again(
    book, grade, tmp_path
):
    archive = tmp_path / "week1.zip"
    archive.write_bytes(b"the same bytes")
    grade([archive], ann="1", bob="2")
    assert "ann, bob" in grade([archive], week1="1")[0]
    assert counting(book) == ["week1"]
    grade([archive], ann="1", bob="2")
    assert counting(book) == ["ann", "bob"]


def test_newer_download_under_the_same_name_drops_nobody(book, grade, tmp_path):
    archive = tmp_path / "submissions.zip"
    archive.write_bytes(b"in time")
    grade([archive], ann="1")
    archive.write_bytes(b"late ones")
    (note,) = grade([archive], bob="2")
    assert "kept" in note
    assert (counting(book), marked(book)) == (["ann", "bob"], ["ann"])


def test_other_paths_take_nothing_away_and_hold_what_they_gave(book, grade, tmp_path):
    one, other = tmp_path / "one", tmp_path / "other"
    grade([one], ann="1", bob="2")
    assert grade([other], ann="1", zoe="3") == []
    assert grade([one], bob="2") == []  # ann is in the other one
    assert (counting(book), marked(book)) == (["ann", "bob", "zoe"], [])
