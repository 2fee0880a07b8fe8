"""The example course on another topic: it is complete, and needs no torch."""

import json
import os
import subprocess
import sys

import pytest

# What the command line does where importing torch is impossible.
NO_TORCH = """
import sys
sys.modules["torch"] = None
from grader.cli import main
sys.exit(main())
"""
SPY = "import sys\nassert 'torch' not in sys.modules, 'imported'\n"


@pytest.fixture
def kmeans(root):
    return root / "examples" / "courses" / "kmeans"


def without_torch(root, *words):
    return subprocess.run(
        [sys.executable, "-c", NO_TORCH, *map(str, words)],
        cwd=root / "tests",
        env={**os.environ, "PYTHONPATH": str(root), "COLUMNS": "100"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
    )


def test_course_is_proved_without_torch(root, kmeans):
    done = without_torch(root, "validate", "--course", kmeans, "--jobs", "1")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "FAULT" not in done.stdout


def test_skeletons_are_those_of_the_solutions(root, kmeans):
    command = [sys.executable, "-m", "grader.skeletons", "--check", "--course", kmeans]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("way", ["--hidden", "--fresh-worker"])
def test_worker_imports_no_torch_either_and_mistakes_are_named(
    root, kmeans, tmp_path, way
):
    right = (kmeans / "solutions" / "assign.py").read_text(encoding="utf-8")
    wrong = kmeans / "mistakes" / "update" / "sum_for_mean.py"
    (tmp_path / "assign.py").write_text(right + SPY, encoding="utf-8")
    (tmp_path / "update.py").write_bytes(wrong.read_bytes())
    words = ["check", "--course", kmeans, "--file", tmp_path, "--json", way]
    done = without_torch(root, *words)
    assert done.returncode == 1, done.stderr
    exercises = json.loads(done.stdout)["exercises"]
    assert exercises["assign"]["status"] == "passed"
    failed = [c for c in exercises["update"]["checks"] if c["outcome"] == "failed"]
    assert {c["mistake"] for c in failed} == {"sum_for_mean"}
    assert failed[0]["tables"][0]["rows"] == [[4.0, 8.0], [9.0, 9.0]]
    assert failed[0]["inputs"][0]["name"] == "means: argument 1"
