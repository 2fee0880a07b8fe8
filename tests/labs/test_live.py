"""Lines about a lab while it runs: numbers only, not too many."""

import math
import subprocess
import sys

import pytest

from grader.report.live import LEAST_GAP_S, MOST_LINES, Live, words
from grader.wire import Note


class Ticking:
    """A clock that a test moves on."""

    def __init__(self, step):
        self.now, self.step = 0.0, step

    def __call__(self):
        self.now += self.step
        return self.now


def test_line_says_exercise_label_step_and_loss():
    lines = []
    Live(lines.append).tell("tiny", "try 1", Note(25, 400, 0.12345))
    assert lines == ["tiny: try 1, step 25 of 400, loss 0.1235"]


def test_notes_that_come_too_fast_are_left_out():
    lines = []
    live = Live(lines.append, Ticking(LEAST_GAP_S / 4))
    for step in range(40):
        live.tell("tiny", "try 1", Note(step, 40, 1.0))
    assert 8 <= len(lines) <= 11


def test_lines_end_with_a_word_when_there_are_too_many():
    lines = []
    live = Live(lines.append, Ticking(1.0))
    for step in range(3 * MOST_LINES):
        live.tell("tiny", "try 1", Note(step, 10, 1.0))
    assert len(lines) == MOST_LINES + 1
    assert lines[-1] == "tiny: it goes on without more lines."


@pytest.mark.parametrize(
    ("note", "text"),
    [
        (Note(-1, 1 << 60, 2.0), "step ? of ?, loss 2"),
        (Note(1, 2, math.nan), "step 1 of 2, loss not a finite number"),
        (Note(1, 2, 1e300), "step 1 of 2, loss 1e+300"),
    ],
)
def test_odd_numbers_are_named_and_not_repeated(note, text):
    assert words(note) == text


def test_check_prints_progress_beside_its_report(labs):
    solution = labs.folder("solutions") / "tiny.py"
    command = [sys.executable, "-m", "grader", "check", "tiny", "--plain", "--compare"]
    done = subprocess.run(
        [*command, "--course", str(labs.root), "--file", str(solution)],
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith("tiny: try 1, step 101 of 999, loss 1.5\n")
    assert "step" not in done.stdout.split("Few and many")[0]
    assert "  value: from 1.5 to 2.99 at step 9" in done.stdout
