"""``grade`` as a TA calls it: whose rows there are, and what is said on them."""

import json
import os
import shutil
import subprocess
import sys

import pytest

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
