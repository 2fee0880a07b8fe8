"""From a save to the verdict, as students have it: ``watch`` in their bundle."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

from grader.bench import figures
from grader.course import Course
from grader.release import bundle
from grader.release.recording import record_mistakes

LAST = "watching "  # how the last line of a verdict begins


class Watching:
    """A running ``watch`` in a bundle."""

    def __init__(self, folder: Path) -> None:
        self.exercises = folder / "exercises"
        self._process = subprocess.Popen(
            [sys.executable, "-m", "grader", "watch", "--plain"],
            cwd=folder,
            env={**os.environ, "PYTHONUNBUFFERED": "1", "LANGUAGE": "en"},
            stdout=subprocess.PIPE,
            text=True,
        )
        self._verdict()

    def _verdict(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith(LAST):
                return
        raise RuntimeError("watch ended")

    def save(self, name: str, text: str) -> float:
        """Seconds from a save to the last line of its verdict."""
        start = time.perf_counter()
        (self.exercises / f"{name}.py").write_text(text, encoding="utf-8")
        self._verdict()
        return time.perf_counter() - start

    def close(self) -> None:
        """End it."""
        self._process.kill()
        self._process.communicate()


def saves(course: Course, exercises: list[str], rounds: int) -> None:
    """Save right and wrong answers in turns."""
    figures.heading(f"Save to verdict: watch in a bundle, {len(exercises)} exercises")
    with tempfile.TemporaryDirectory(prefix="bench-") as home:
        recorded = record_mistakes(course, exercises, os.cpu_count() or 1)
        made = bundle.write(course, Path(home), recorded)
        with zipfile.ZipFile(made) as archive:
            archive.extractall(home)
        watching = Watching(Path(home) / course.name)
        try:
            worst = max(_each(watching, course, name, rounds) for name in exercises)
        finally:
            watching.close()
    figures.line("slowest of these medians", figures.in_words(worst), "under 0.3 s")


def _each(watching: Watching, course: Course, name: str, rounds: int) -> float:
    """Print the medians of one exercise; the greater of them, in seconds."""
    right = (course.folder("solutions") / f"{name}.py").read_text("utf-8")
    folder = course.folder("mistakes") / name
    wrong = min(folder.glob("[a-z]*.py")).read_text("utf-8")
    taken: list[list[float]] = [[], []]
    for number in range(rounds + 1):
        for kept, text in zip(taken, (right, wrong), strict=True):
            # A save that changes nothing has no verdict.
            spent = watching.save(name, f"{text}\n# {number}\n")
            if number:
                kept.append(spent)
    medians = [figures.median(kept) for kept in taken]
    words = " / ".join(map(figures.in_words, medians))
    figures.line(f"  {name}: right / with a mistake", words)
    return max(medians)
