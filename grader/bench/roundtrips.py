"""What one call across the boundary costs, measured in a session's own check."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from pathlib import Path

from grader.bench import figures
from grader.bench.handins import handin
from grader.bench.sessions import session, small_course
from grader.course import load_course

ECHO = "def nothing():\n    pass\n\n\ndef double(x):\n    return x * 2\n"


def round_trips() -> None:
    """Print each kind of call."""
    figures.heading("Round trips between session and worker")
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        small_course(root, {"echo": '"nothing", "double"'})
        (root / "suites").mkdir()
        suite = Path(__file__).with_name("suite_roundtrips.py")
        shutil.copy(suite, root / "suites/public_echo.py")
        (root / "solutions").mkdir()
        (root / "solutions/echo.py").write_text(ECHO)
        told = root / "figures.json"
        os.environ["BENCH_ROUNDTRIPS"] = str(told)
        with session(load_course(root)) as running:
            result = running.grade(handin("echo", {"echo": ECHO}), ["echo"])
        if not told.exists():
            check = result.exercises["echo"].checks[0]
            print(f"  not measured: {check.outcome.value}: {check.message}")
            return
        for name, spent in json.loads(told.read_text()).items():
            figures.line(name, figures.in_words(spent))
