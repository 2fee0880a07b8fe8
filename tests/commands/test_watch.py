"""``watch``: whatever an editor does to a file, the verdict follows the save."""

import os
import queue
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

ANSWER_S = 60  # a busy machine; the test waits for words and for no time


class Watching:
    """A running ``watch`` on a copy of the example course."""

    def __init__(self, root: Path, course: Path) -> None:
        self.folder = course / "exercises"
        self.lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        words = ["-m", "grader", "watch", "--plain", "--course", str(course)]
        self.process = subprocess.Popen(
            [sys.executable, *words],
            cwd=root / "tests",
            env={**os.environ, "PYTHONPATH": str(root), "PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
        )
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line.rstrip())

    def verdict(self) -> list[str]:
        """The lines of the next look, up to the one that ends it."""
        found: list[str] = []
        while not found or not found[-1].startswith("watching "):
            found.append(self.lines.get(timeout=ANSWER_S))
        return found

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        self.reader.join(ANSWER_S)
        assert self.process.stdout is not None
        self.process.stdout.close()


@pytest.fixture(scope="module")
def watching(
    root: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Watching]:
    course = tmp_path_factory.mktemp("课程") / "my course"
    shutil.copytree(root / "examples/courses/kmeans", course)
    watching = Watching(root, course)
    first = watching.verdict()
    assert "2 not written yet" in first
    yield watching
    watching.close()


@pytest.fixture
def right(root: Path) -> str:
    path = root / "examples/courses/kmeans/solutions/assign.py"
    return path.read_text(encoding="utf-8")


def test_every_way_to_save_is_followed_by_a_verdict(watching, right):
    """Saved in place, by renaming, broken, deleted, and back again."""
    file = watching.folder / "assign.py"
    file.write_text(right.replace("gaps**2", "gaps"), encoding="utf-8")
    said = "\n".join(watching.verdict())
    assert "assign: 0 of 3 checks" in said
    assert "-> assign.py  A small table of squared distances" in said
    assert "update" not in said  # it was not touched

    other = watching.folder / ".assign.py.swp"
    other.write_text(right, encoding="utf-8")
    other.replace(file)
    assert "assign: 3 of 3 checks" in watching.verdict()

    file.write_text("def nearest(:\n", encoding="utf-8")
    said = "\n".join(watching.verdict())
    assert "assign: 0 of 3 checks" in said
    assert "-> assign.py:1" in said
    assert "SyntaxError" in said

    file.unlink()  # the notebook beside it is what there is now
    assert "1 not written yet" in watching.verdict()

    file.write_text(right, encoding="utf-8")
    assert "assign: 3 of 3 checks" in watching.verdict()


def test_saving_without_a_change_says_nothing(watching, right):
    """Touched, then really changed: the next words are about the change."""
    update = watching.folder / "update.py"
    (watching.folder / "assign.py").touch()
    update.write_text("def means(points, labels, centres):\n    return None\n")
    said = "\n".join(watching.verdict())
    assert "update: 0 of 3 checks" in said
    assert "assign" not in said
