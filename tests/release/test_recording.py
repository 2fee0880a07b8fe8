"""Answers of mistakes: recorded once, in several processes, and found again."""

import shutil

import pytest

from grader.course import load_course
from grader.errors import EnvironmentFault
from grader.release import recording
from grader.release.recording import exercises_of, fingerprint, record_mistakes
from grader.session.naming.recorded import BLOCK, Recorded, dump, load


@pytest.fixture
def kmeans(root, tmp_path):
    """A copy of the example course; it has two exercises, and needs no torch."""
    folder = tmp_path / "课程 1"
    shutil.copytree(root / "examples/courses/kmeans", folder)
    return load_course(folder)


def test_several_processes_record_and_the_next_release_finds_it(
    kmeans, tmp_path, monkeypatch
):
    names = exercises_of(kmeans)
    assert names == ["assign", "update"]
    found = record_mistakes(kmeans, names, jobs=2, kept=tmp_path)
    assert "sum_for_mean" in {way.name for way in load(found["update"])}
    assert load(found["assign"])

    def must_not_run(*_):
        raise EnvironmentFault("recorded again")

    monkeypatch.setattr(recording, "_in_session", must_not_run)
    assert record_mistakes(kmeans, names, kept=tmp_path) == found
    mistake = kmeans.folder("mistakes") / "update" / "sum_for_mean.py"
    mistake.write_text(mistake.read_text() + "\n# another\n")
    with pytest.raises(EnvironmentFault, match="recorded again"):
        record_mistakes(kmeans, names, kept=tmp_path)


@pytest.mark.parametrize(
    "name",
    [
        "course.toml",
        "solutions/update.py",
        "suites/public_update.py",
        "mistakes/update/mistakes.toml",
        "mistakes/update/sum_for_mean.py",
    ],
)
def test_whatever_answers_depend_on_is_in_the_fingerprint(kmeans, name):
    before, other = (fingerprint(kmeans, n) for n in ("update", "assign"))
    path = kmeans.root / name
    path.write_bytes(path.read_bytes() + b"\n# changed\n")
    assert fingerprint(kmeans, "update") != before
    assert (fingerprint(kmeans, "assign") == other) == (name != "course.toml")


def test_file_of_an_older_state_makes_room(kmeans, tmp_path, monkeypatch):
    monkeypatch.setattr(recording, "_in_session", lambda *_: {"update": b"new"})
    old = tmp_path / recording.FOLDER / "update-0000000000000000.bin"
    beside = tmp_path / recording.FOLDER / "assign-0000000000000000.bin"
    old.parent.mkdir()
    old.write_bytes(b"old")
    beside.write_bytes(b"old")
    assert record_mistakes(kmeans, ["update"], kept=tmp_path) == {"update": b"new"}
    kept = sorted(p.name for p in old.parent.iterdir())
    assert kept == [beside.name, f"update-{fingerprint(kmeans, 'update')}.bin"]


def test_numbers_that_mistakes_share_are_written_once():
    numbers = bytes(range(256)) * 40 + b"end"
    answers = {"a": (b"form", numbers), "b": (b"other", numbers[BLOCK:])}
    ways = [Recorded(f"m{i}", "why?", "", {"a": "failed"}, answers) for i in range(20)]
    assert load(dump(ways)) == ways
    assert len(dump(ways)) < 3 * len(dump(ways[:1]))
