"""The command line, as a user calls it."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from gradings import check, exercise, result, submission, tiny_course

from grader import cli
from grader.gradebook import Gradebook

Run = Callable[..., subprocess.CompletedProcess[str]]
ANSWER_S = 240


@pytest.fixture
def small_course(root: Path, tmp_path: Path) -> Path:
    """A copy of the engine's course that holds the quick exercise alone."""
    folder = tmp_path / "a course with blanks"
    shutil.copytree(root / "tests" / "courses" / "engine", folder)
    text = (folder / "course.toml").read_text(encoding="utf-8")
    first = text.index("[[exercises]]")
    second = text.index("[[exercises]]", first + 1)
    kept = text[:first] + text[second:]
    (folder / "course.toml").write_text(kept, encoding="utf-8")
    (folder / "exercises").mkdir(exist_ok=True)
    return folder


@pytest.fixture
def grader(root: Path, tmp_path: Path) -> Run:
    """``python -m grader`` in a folder that holds nothing."""

    def run(*arguments: object, **env: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "grader", *map(str, arguments)],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(root), "COLUMNS": "100", **env},
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=ANSWER_S,
        )

    return run


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A course, a gradebook with one row, a hand-in, and a file in the way."""
    tiny_course(tmp_path, ("add",))
    (tmp_path / "out").mkdir()
    with Gradebook.open(tmp_path / "out" / "gradebook.sqlite") as book:
        found = result("ada", {"add": exercise("k", [check()])})
        book.record(book.begin_run(), found, submission("ada"))
    (tmp_path / "hand_in").mkdir()
    (tmp_path / "hand_in" / "add.py").write_text("def add(a, b):\n    return a + b\n")
    (tmp_path / "file").write_text("in the way")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def call(folder, monkeypatch, capsys):
    """(exit code, lines of stderr) of a command given there, in this process."""

    def call(line):
        monkeypatch.setattr(sys, "argv", ["grader", *line.split()])
        return cli.main(), capsys.readouterr().err.strip().splitlines()

    return call
