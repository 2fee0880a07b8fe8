"""``grade --scheduler``: real sessions on the workers of a real scheduler."""

import json
import os
import shutil
import subprocess
import sys

import pytest

RIGHT = "def double(x):\n    return x + x\n"
WRONG = "def double(x):\n    return x * x\n"


@pytest.mark.slow
def test_class_is_graded_on_the_cluster_as_it_is_here(cluster, root, tmp_path):
    course = shutil.copytree(root / "tests" / "courses" / "semester", tmp_path / "c")
    for who, text in {"ada": RIGHT, "kim": WRONG}.items():
        (tmp_path / "class" / who).mkdir(parents=True)
        (tmp_path / "class" / who / "double.py").write_text(text)

    def grade(out, *more):
        line = ["grade", tmp_path / "class", "--out", tmp_path / out, *more]
        line += ["--course", course, "--exercise", "double", "--isolation", "none"]
        done = subprocess.run(
            [sys.executable, "-m", "grader", *map(str, line)],
            env={**os.environ, "PYTHONPATH": str(root)},
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        lines = (tmp_path / out / "results.jsonl").read_text().splitlines()
        rows = {r["submission"]: r for r in map(json.loads, lines)}
        return {who: r["exercises"]["double"] for who, r in rows.items()}

    there = grade("there", "--scheduler", cluster.address)
    here = grade("here", "-j", "1")
    outcomes = {
        who: {c["id"]: c["outcome"] for c in e["checks"]} for who, e in there.items()
    }
    assert "passed" in outcomes["ada"].values()
    assert outcomes["ada"] != outcomes["kim"]
    assert {who: (e["status"], e["score"]) for who, e in there.items()} == {
        who: (e["status"], e["score"]) for who, e in here.items()
    }
