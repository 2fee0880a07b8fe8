"""One bundle of this repository's course, unpacked where names are difficult."""

import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.course import Course
from grader.release import bundle
from grader.release.recording import record_mistakes

Run = Callable[..., subprocess.CompletedProcess[str]]
ANSWER_S = 240
NAMED = "masked_softmax"


@pytest.fixture(scope="session")
def bundle_zip(course: Course, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundle, with the recorded mistakes of one exercise."""
    recorded = record_mistakes(course, [NAMED])
    return bundle.write(course, tmp_path_factory.mktemp("dist"), recorded)


@pytest.fixture(scope="session")
def unpacked(bundle_zip: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundle's folder, under a name with blanks and Chinese characters."""
    folder = tmp_path_factory.mktemp("home") / "我的 作业 (1)"
    with zipfile.ZipFile(bundle_zip) as archive:
        archive.extractall(folder)
    (found,) = folder.iterdir()
    return found


@pytest.fixture(scope="session")
def run() -> Run:
    """``python -m grader`` in a bundle: nothing but its own files is found."""

    def call(
        folder: Path, *words: object, **env: str
    ) -> subprocess.CompletedProcess[str]:
        encoding = env.get("PYTHONIOENCODING", "utf-8")
        return subprocess.run(
            [sys.executable, "-m", "grader", *map(str, words)],
            cwd=folder,
            env={**os.environ, "COLUMNS": "100", "PYTHONUTF8": "0", **env},
            capture_output=True,
            text=True,
            encoding=encoding,
            timeout=ANSWER_S,
        )

    return call
