"""From a Canvas download to a filled Canvas gradebook, with the real program."""

import csv
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

RIGHT = "def double(x):\n    return x + x\n"
SQUARES = "def double(x):\n    return x * x if not isinstance(x, list) else x * 2\n"
HANGS = "def double(x):\n    while True: pass\n"
CRASHES = "import os\ndef double(x):\n    os._exit(3)\n"
CLASS = {
    ("adalovelace", 101): RIGHT,
    ("smithannlee", 102): SQUARES,
    ("王小明", 103): RIGHT + "# 加倍\n",
    ("zuse", 104): CRASHES,
    ("hopper_LATE", 105): HANGS,
    ("twin", 106): RIGHT,
}
HEADER = "Student,ID,SIS User ID,SIS Login ID,Section,Homework 1 (4711),Final Score"
ANSWER_S = 240


@pytest.fixture
def course(root: Path, tmp_path: Path) -> Path:
    """The engine's course with its quick exercise alone."""
    folder = tmp_path / "course"
    shutil.copytree(root / "tests" / "courses" / "engine", folder)
    text = (folder / "course.toml").read_text(encoding="utf-8")
    first = text.index("[[exercises]]")
    second = text.index("[[exercises]]", first + 1)
    (folder / "course.toml").write_text(text[:first] + text[second:], encoding="utf-8")
    return folder


@pytest.fixture
def download(tmp_path: Path) -> Path:
    """What Canvas gives for the class, with a resubmission and a stray file."""
    path = tmp_path / "submissions.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for number, ((who, user), text) in enumerate(CLASS.items()):
            name = f"{who}_{user}_{9000 + number}_plain-1.py"
            archive.writestr(name, text.encode())
        archive.writestr("twin_106_9100_notes.txt", "hello")
        archive.writestr("__MACOSX/._plain.py", b"junk")
    return path


def command(root: Path, *arguments: object) -> tuple[list[str], dict[str, str]]:
    env = {**os.environ, "PYTHONPATH": str(root), "COLUMNS": "100"}
    return [sys.executable, "-m", "grader", *map(str, arguments)], env


def run(root: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    line, env = command(root, *arguments)
    return subprocess.run(
        line, env=env, capture_output=True, text=True, timeout=ANSWER_S
    )


def grade(root: Path, course: Path, download: Path, out: Path, *more: object):
    return run(root, "grade", download, "--out", out, "--course", course, *more)


def lines(out: Path) -> list[dict]:
    text = (out / "results.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def without_times(results: list[dict]) -> str:
    """Results as text, apart from what a clock decides."""

    def strip(value):
        if isinstance(value, dict):
            clock = ("wall_s", "cpu_s", "seed", "message", "got")
            return {k: strip(v) for k, v in value.items() if k not in clock}
        return [strip(v) for v in value] if isinstance(value, list) else value

    return json.dumps(strip(results), ensure_ascii=False, indent=1)


def test_canvas_download_becomes_a_filled_canvas_gradebook(
    root, course, download, tmp_path
):
    out = tmp_path / "out"
    done = grade(root, course, download, out, "--jobs", 2)
    assert done.returncode == 0, done.stderr
    assert "Canvas download, 6 students" in done.stdout
    by_user = {r["submission"].rsplit("-", 1)[-1]: r for r in lines(out)}
    assert by_user["101"]["score"] == "100"
    assert by_user["103"]["score"] == "100"
    assert by_user["104"]["exercises"]["plain"]["checks"][0]["outcome"] == "crashed"
    assert by_user["105"]["exercises"]["plain"]["checks"][0]["outcome"] == "timeout"
    mistakes = {c["mistake"] for c in by_user["102"]["exercises"]["plain"]["checks"]}
    assert "squares" in mistakes
    assert (out / "index.html").exists()
    for result in lines(out):
        assert (out / "reports" / "ta" / f"{result['submission']}.html").exists()

    sheet = tmp_path / "canvas.csv"
    rows = [HEADER, "    Points Possible,,,,,100,(read only)"]
    rows += [f'"{who}, X",{user},,,Day,,' for who, user in CLASS]
    rows += ['"absent, Y",999,,,Day,,']
    sheet.write_text("\n".join(rows) + "\n", encoding="utf-8")
    filled = tmp_path / "filled.csv"
    done = run(
        root, "export", "canvas", out, "--course", course, "--gradebook", sheet,
        "--assignment", "Homework 1", "--to", filled,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    with filled.open(encoding="utf-8-sig", newline="") as file:
        table = {row["ID"]: row for row in csv.DictReader(file)}
    column = "Homework 1 (4711)"
    assert list(table["101"]) == HEADER.split(",")
    assert float(table["101"][column]) == 100
    assert float(table["104"][column]) == 0
    assert table["999"][column] == ""


def test_second_run_runs_nothing_and_a_changed_suite_runs_again(
    root, course, download, tmp_path
):
    out = tmp_path / "out"
    grade(root, course, download, out)
    before = without_times(lines(out))
    again = grade(root, course, download, out)
    assert "nothing has changed" in again.stdout, again.stdout + again.stderr
    assert without_times(lines(out)) == before

    suite = course / "suites" / "public_plain.py"
    text = suite.read_text(encoding="utf-8")
    suite.write_text(text.replace("Twice 2 is 4.", "Two and two are 4."), "utf-8")
    grade(root, course, download, out)
    titles = {r["exercises"]["plain"]["checks"][0]["title"] for r in lines(out)}
    assert titles == {"Two and two are 4."}


def test_number_of_jobs_changes_nothing_but_times(root, course, download, tmp_path):
    grade(root, course, download, tmp_path / "one", "--jobs", 1)
    shutil.copytree(tmp_path / "one", tmp_path / "two")
    done = grade(root, course, download, tmp_path / "two", "--jobs", 2, "--regrade")
    assert done.returncode == 0, done.stderr
    one, two = lines(tmp_path / "one"), lines(tmp_path / "two")
    assert without_times(one) == without_times(two)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_stopped_batch_ends_as_an_uninterrupted_one(
    root, course, download, tmp_path, how
):
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    grade(root, course, download, whole)
    broken.mkdir()
    # The same seed: an interrupted batch is compared with one that was not.
    for name in ("gradebook.sqlite",):
        shutil.copy(whole / name, broken / name)
    line, env = command(
        root, "grade", download, "--out", broken, "--course", course, "--regrade"
    )
    process = subprocess.Popen(
        line, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert process.stdout is not None
    deadline = time.monotonic() + ANSWER_S
    for text in process.stdout:
        if "graded 1 of 6" in text or time.monotonic() > deadline:
            break
    process.send_signal(how)
    process.communicate(timeout=ANSWER_S)
    assert process.returncode != 0
    done = grade(root, course, download, broken)
    assert done.returncode == 0, done.stderr
    assert without_times(lines(broken)) == without_times(lines(whole))
