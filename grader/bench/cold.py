"""From nothing to a verdict: what a student waits for."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from grader.bench import figures
from grader.course import Course

EXERCISE = "masked_softmax"


def cold_check(course: Course, rounds: int) -> None:
    """``make check`` on one right exercise beside a bare ``import torch``."""
    figures.heading(f"Cold: make check EX={EXERCISE}, environment already made")
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "course"
        _student_copy(course, copy)
        # -o: this environment is as it is, whatever the dates of the pins.
        keep = ["-o", f"{sys.prefix}/.installed", f"VENV={sys.prefix}"]
        check = ["make", "-s", *keep, "check", f"EX={EXERCISE}"]
        first = subprocess.run(check, cwd=copy, capture_output=True, text=True)
        if first.returncode:
            print(f"  not measured: {(first.stdout + first.stderr)[-500:]}")
            return
        bare = [sys.executable, "-c", "import torch"]
        with_grader, without = figures.alternate(
            rounds,
            lambda: subprocess.run(check, cwd=copy, capture_output=True, check=True),
            lambda: subprocess.run(bare, check=True),
        )
    checked, imported = figures.median(with_grader), figures.median(without)
    figures.line("make check", figures.in_words(checked))
    figures.line("python -c 'import torch'", figures.in_words(imported))
    figures.line("ratio", f"{checked / imported:.2f}", "at most 2.2")


def _student_copy(course: Course, copy: Path) -> None:
    """The project with one exercise written: solutions stand for the student."""
    copy.mkdir()
    for name in ("Makefile", "course.toml", "pyproject.toml", "constraints.txt"):
        shutil.copy2(course.root / name, copy)
    for part in ("grader", "solutions"):
        ignore = shutil.ignore_patterns("__pycache__")
        shutil.copytree(course.root / part, copy / part, ignore=ignore)
    shutil.copytree(course.folder("solutions"), copy / "exercises")
