"""``grade`` as a TA calls it: whose rows there are, and what is said on them."""

import json
import os
import shutil
import subprocess
import sys
import zipfile

import pytest

from grader.gradebook import Gradebook

DOUBLE = "def double(x):\n    return x + x\n"
SHOUT = "def shout(text):\n    return text.upper() + '!'\n"
CLASS = {
    "ada/double.py": DOUBLE,
    "ada/shout.py": SHOUT,
    "ada/utils.py": "",
    "ada/notes.txt": "",
    "kim/double.py": DOUBLE + "# kim\n",
}


class Desk:
    """A course and a class in a folder, and commands given there."""

    def __init__(self, root, folder):
        self.root, self.folder = root, folder
        shutil.copytree(root / "tests" / "courses" / "semester", folder / "course")
        toml = folder / "course" / "course.toml"
        text = toml.read_text(encoding="utf-8")
        start, end = text.index("[dates]"), text.index("[[chapters]]")
        toml.write_text(text[:start] + text[end:], encoding="utf-8")
        self.hand_in(CLASS)

    def hand_in(self, files, below="class"):
        for name, text in files.items():
            path = self.folder / below / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

    def grader(self, *arguments):
        """(exit code, everything printed) of ``python -m grader``."""
        done = subprocess.run(
            [sys.executable, "-m", "grader", *map(str, arguments)],
            cwd=self.folder / "course",
            env={**os.environ, "PYTHONPATH": str(self.root), "COLUMNS": "200"},
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=120,
        )
        return done.returncode, done.stdout + done.stderr

    def grade(self, *arguments, out="out"):
        return self.grader("grade", *arguments, "--out", self.folder / out, "-j", "1")

    def rows(self, out="out"):
        lines = (self.folder / out / "results.jsonl").read_text(encoding="utf-8")
        return {r["submission"]: r for r in map(json.loads, lines.splitlines())}


@pytest.fixture(scope="module")
def desk(root, tmp_path_factory):
    return Desk(root, tmp_path_factory.mktemp("desk"))


@pytest.fixture(scope="module")
def graded(desk):
    code, said = desk.grade(desk.folder / "class")
    assert code == 0, said
    return said


def page(desk, name):
    return (desk.folder / "out" / name).read_text(encoding="utf-8")


def test_files_that_are_not_used_are_named_wherever_the_row_is(desk, graded):
    warning = "Not used: notes.txt, utils.py."
    rows = desk.rows()
    assert rows["ada"]["warnings"] == [warning]
    assert rows["kim"]["warnings"] == []
    assert warning in graded
    for name in ("index", "reports/ta/ada", "reports/student/ada"):
        assert warning in page(desk, f"{name}.html"), name
    assert "Not used" not in page(desk, "reports/student/kim.html")
    _, said = desk.grader("report", desk.folder / "out", "--only", "ada")
    assert warning in said


def canvas_zip(path, files):
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text.encode())


CANVAS = {"lee_4017_991_double.py": DOUBLE, "kim_4018_992_double.py": DOUBLE + "#\n"}


@pytest.fixture(scope="module")
def regraded(desk):
    """A download that was first graded with a wrong layout."""
    archive = desk.folder / "canvas.zip"
    canvas_zip(archive, CANVAS)
    code, said = desk.grade(archive, "--layout", "single", out="two")
    assert (code, list(desk.rows("two"))) == (0, ["canvas"]), said
    code, said = desk.grade(archive, out="two")
    assert code == 0, said
    return said


def test_row_of_a_wrong_first_run_is_left_out_everywhere_and_said(desk, regraded):
    assert list(desk.rows("two")) == ["kim-4018", "lee-4017"]
    assert "note: left out, because an earlier run read the same hand-ins" in regraded
    assert "under these names: canvas." in regraded
    assert "2 submissions" in regraded
    pages = {p.stem for p in (desk.folder / "two" / "reports").glob("*/*.html")}
    assert pages == {"kim-4018", "lee-4017"}
    with Gradebook.open(desk.folder / "two" / "gradebook.sqlite") as book:
        history = book.connection.execute("SELECT submission_id FROM gradings")
        assert ("canvas",) in history.fetchall()
        assert book.current("canvas") is None
        assert sorted(book.people()) == ["kim-4018", "lee-4017"]


def test_late_work_from_another_download_is_graded_on_top(desk, regraded):
    canvas_zip(desk.folder / "late.zip", {"zoe_LATE_4019_993_double.py": DOUBLE})
    code, said = desk.grade(desk.folder / "late.zip", out="two")
    assert (code, "left out" in said, "not in this hand-in" in said) == (0, 0, 0), said
    rows = desk.rows("two")
    assert list(rows) == ["kim-4018", "lee-4017", "zoe-4019"]
    told = " ".join(w for row in rows.values() for w in row["warnings"])
    assert "earlier run" not in told


def test_only_and_exercise_grade_no_more_than_they_name(desk):
    arguments = (desk.folder / "class", "--only", "kim", "--exercise", "double")
    code, said = desk.grade(*arguments, out="part")
    assert code == 0, said
    (kim,) = desk.rows("part").values()
    assert (kim["submission"], list(kim["exercises"])) == ("kim", ["double"])
    assert kim["max_score"] == "100"
    code, said = desk.grade(desk.folder / "class", "--exercise", "shout", out="part")
    rows = desk.rows("part")
    assert {who: list(row["exercises"]) for who, row in rows.items()} == {
        who: ["double", "shout"] for who in ("ada", "kim")
    }
    assert rows["ada"]["exercises"]["shout"]["score"] == "100"


def test_one_name_twice_is_one_submission(desk, graded):
    only = ("--only", "ada", "--only", "ada", "--regrade")
    code, said = desk.grade(desk.folder / "class", *only)
    assert code == 0, said
    assert "of 2" not in said.splitlines()[1]
    assert "1 of 2" not in said


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--only", "adda"), "--only adda: no such submission among those read"),
        (("--exercise", "dubble"), "dubble"),
        (("--layout", "zebra"), "unknown layout 'zebra'; it is one of: canvas, ex"),
    ],
)
def test_option_that_names_nothing_is_refused_in_a_sentence(desk, arguments, sentence):
    code, said = desk.grade(desk.folder / "class", *arguments, out="none")
    assert code == 2
    last = said.strip().splitlines()[-1]
    assert last.startswith("grader: error: ")
    assert sentence in last
    assert "fault of the grader itself" not in last


def test_layout_is_forced(desk):
    code, said = desk.grade(desk.folder / "class", "--layout", "single", out="single")
    assert code == 0, said
    assert list(desk.rows("single")) == ["class"]
    assert "Single submission" in said or "1 submission: class" in said
