"""Reports written while a batch runs, and what the end of it still has to write."""

import io

import pytest
from gradings import check, exercise, result, submission, tiny_course
from rich.console import Console

from grader.commands.pages import EarlyReports, write_all
from grader.gradebook import Gradebook, New
from grader.report import html
from grader.results import Outcome


class Class:
    """A gradebook with pages beside it; ``written`` lists what is written since."""

    def __init__(self, root, book):
        self.course = tiny_course(root / "course")
        self.out = root / "out"
        self.book = book
        self.run = book.begin_run()
        self.written = []

    def record(self, who, outcome=Outcome.PASSED, text=None):
        checks = [check("adds", "6", outcome)]
        made = {"add": exercise(f"{who} {outcome}", checks)}
        files = {"add": text or f"# {who}"}
        self.book.record(self.run, result(who, made), submission(who, files))

    def early(self, *names):
        early = EarlyReports(self.course, self.book, self.out)
        for who in names:
            early.write(who)
        return early.written

    def finish(self, early, touched=()):
        self.written.clear()
        console = Console(file=io.StringIO())
        write_all(self.course, self.book, self.out, touched, console, early=early)
        return self.written

    def page(self, who, kind="student"):
        return (self.out / "reports" / kind / f"{who}.html").read_text("utf-8")


@pytest.fixture
def room(tmp_path, monkeypatch):
    (tmp_path / "out").mkdir()
    with Gradebook.open(tmp_path / "out" / "gradebook.sqlite") as book:
        made = Class(tmp_path, book)
        write = html.write_reports

        def noted(out, result, *rest, **options):
            made.written.append(result.submission)
            return write(out, result, *rest, **options)

        monkeypatch.setattr(html, "write_reports", noted)
        yield made


def test_report_written_early_is_the_one_of_the_end_and_not_written_twice(room):
    for who in ("ada", "bob"):
        room.record(who)
    early = room.early("ada", "bob")
    pages = [
        room.page(who, kind) for who in ("ada", "bob") for kind in ("ta", "student")
    ]
    assert room.finish(early, {"ada", "bob"}) == []
    assert "ada" in (room.out / "index.html").read_text("utf-8")

    assert room.finish({}, None) == ["ada", "bob"]
    assert pages == [
        room.page(who, kind) for who in ("ada", "bob") for kind in ("ta", "student")
    ]


def test_report_is_written_again_when_a_later_result_or_decision_changed_it(room):
    for who in ("ada", "bob"):
        room.record(who)
    early = room.early("ada", "bob")
    room.record("ada", Outcome.FAILED)
    assert room.finish(early) == ["ada"]
    assert "0 of 10 points" in room.page("ada")

    room.book.decide(New("void", "wrong check", {"mode": "full"}, None, "add", "adds"))
    assert room.finish(early) == ["ada", "bob"]


def test_identical_hand_ins_are_told_at_the_end_whenever_each_was_graded(room):
    for who in ("ada", "bob", "eve"):
        room.record(who, text="# mine" if who == "bob" else "# the same")
    early = room.early("ada", "bob", "eve")
    assert "Identical hand-ins: eve" not in room.page("ada", "ta")

    assert room.finish(early, {"ada", "bob", "eve"}) == ["ada", "eve"]
    assert "Identical hand-ins: eve" in room.page("ada", "ta")
    assert "eve" not in room.page("ada")


def test_report_that_cannot_be_written_early_is_tried_again_at_the_end(room):
    room.record("ada")
    (room.out / "reports").mkdir()
    blocked = room.out / "reports" / "ta"
    blocked.write_text("in the way")
    assert room.early("ada") == {}
    blocked.unlink()
    assert room.finish({}, {"ada"}) == ["ada"]
