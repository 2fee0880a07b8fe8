"""What ``run_autograder`` calls: one submission in, results.json out.

    python -m grader.release.autograder /autograder

Student code never runs in this process: it is graded as any batch of one, in
workers of another uid, at the best isolation that the container gives. Where
it gives none, nothing is graded and the result says why.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import msgspec

from grader.atomic import write_atomically
from grader.course import load_course
from grader.exports.gradescope import results_json
from grader.results import from_json

FAULT = (
    "The autograder could not grade this. It is no judgement of your work: please "
    "tell your teachers, and submit again later."
)


def main(argv: list[str] | None = None) -> int:
    """Grade ``ROOT/submission``; 0 when a real result was written, 1 when not."""
    (name,) = sys.argv[1:] if argv is None else argv
    root = Path(name)
    target = root / "results" / "results.json"
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        content = _graded(root)
    except Exception as e:  # whatever it is, a message is left for the student
        print(f"autograder: {type(e).__name__}: {e}", file=sys.stderr)
        _write(target, _incomplete(FAULT))
        return 1
    _write(target, content)
    return 0


def _write(target: Path, content: dict[str, Any]) -> None:
    write_atomically(target, msgspec.json.format(msgspec.json.encode(content)))


def _incomplete(words: str) -> dict[str, Any]:
    return {
        "score": 0,
        "output": words,
        "output_format": "text",
        "stdout_visibility": "hidden",
        "tests": [],
    }


def _graded(root: Path) -> dict[str, Any]:
    """The content of results.json.

    Raises:
        RuntimeError: the grader failed; its own words go to the hidden output.
    """
    folder = root / "source" / "course"
    course = load_course(folder)
    with tempfile.TemporaryDirectory(prefix="graded-") as out:
        command = [
            sys.executable, "-m", "grader", "grade", str(root / "submission"),
            "--course", str(folder), "--out", out, "--jobs", "1", "--plain",
            "--layout", "single",
        ]  # fmt: skip
        done = subprocess.run(command, cwd=root / "source", stdout=sys.stderr)
        lines = Path(out, "results.jsonl")
        if done.returncode or not lines.exists():
            raise RuntimeError(f"grade ended with {done.returncode}")
        rows = [from_json(line) for line in lines.read_bytes().splitlines()]
    if len(rows) != 1:
        raise RuntimeError(f"{len(rows)} submissions instead of one")
    (result,) = rows
    if result.status in ("unreadable", "missing"):
        return _incomplete(result.message or "Nothing that can be graded was found.")
    content = results_json(result, course)
    if result.warnings:
        content["output"] += "\n" + "\n".join(result.warnings)
    return content


if __name__ == "__main__":
    sys.exit(main())
