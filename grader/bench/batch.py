"""Whole batches: grading many submissions beside one pytest process for each."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from grader.batch.client import ONE_THREAD
from grader.bench import figures
from grader.bench.handins import generate, write
from grader.course import Course, load_course
from grader.results import SubmissionResult, from_json

FIRST_TEN = {"masked_softmax": 10, "bahdanau_attention": 10}
CORES = os.cpu_count() or 1


def against_pytest(
    course: Course, exercises: list[str], count: int, few: int, isolation: str
) -> None:
    """Submissions per minute, all checks; then with twenty checks."""
    figures.heading(f"Batch of {count}, all checks of {len(exercises)} exercises")
    _compare(course, exercises, count, few, isolation, aim=10)
    figures.heading(f"Batch of {count}, twenty checks of two exercises")
    with tempfile.TemporaryDirectory() as folder:
        small = trimmed_course(course, Path(folder), FIRST_TEN)
        _compare(small, list(FIRST_TEN), count, few, isolation, aim=25)


def _compare(
    course: Course,
    exercises: list[str],
    count: int,
    few: int,
    isolation: str,
    aim: int,
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        hand_ins = Path(folder) / "hand-ins"
        write(generate(course, exercises, count), hand_ins)
        out = Path(folder) / "out"
        begun = time.time()
        spent = grade_folder(course, hand_ins, out, isolation, exercises)
        usual = one_pytest_each(course, exercises, sorted(hand_ins.iterdir())[:few])
        ours = 60 * count / spent
        figures.line(f"grade, {CORES} sessions: submissions a minute", f"{ours:.0f}")
        figures.line(
            f"one pytest process each, {CORES} side by side", f"{usual:.1f} a minute"
        )
        figures.line("ratio", f"{ours / usual:.1f}", f"at least {aim}")
        _phases(out, begun, spent, usual)
        _stages(out, spent)


def grade_folder(
    course: Course,
    hand_ins: Path,
    out: Path,
    isolation: str,
    exercises: Sequence[str],
) -> float:
    """Seconds of one ``grader grade`` as a TA runs it, start to finish."""
    command = [sys.executable, "-m", "grader", "grade", str(hand_ins)]
    command += ["--out", str(out), "--course", str(course.root)]
    command += ["--isolation", isolation, "--jobs", str(CORES)]
    # What is asked for, as the baseline runs it: no rows of exercises not handed out.
    command += [word for name in exercises for word in ("--exercise", name)]
    return figures.seconds(
        lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    )


def one_pytest_each(
    course: Course, exercises: list[str], folders: Sequence[Path]
) -> float:
    """Submissions a minute when each gets a pytest process, CORES at a time."""
    suites = [str(p) for name in exercises for p in course.suite_paths(name)]
    command = [
        sys.executable, "-m", "pytest", "-q", "-p", "grader.bench.baseline",
        "-c", os.devnull, "--rootdir", str(course.root), "--import-mode=importlib",
        "-o", "python_files=public_*.py hidden_*.py",
        "-o", "python_functions=check_*", *suites,
    ]  # fmt: skip
    project = str(Path(__file__).resolve().parents[2])
    environment = {
        **os.environ,
        **dict.fromkeys(ONE_THREAD, "1"),
        "BENCH_COURSE": str(course.root),
        "PYTHONPATH": project,
    }

    def one(folder: Path) -> int:
        done = subprocess.run(
            command,
            env={**environment, "BENCH_HANDIN": str(folder)},
            capture_output=True,
            text=True,
        )
        return _ran(done.stdout + done.stderr)

    start = time.perf_counter()
    with ThreadPoolExecutor(CORES) as pool:
        counts = set(pool.map(one, folders))
    spent = time.perf_counter() - start
    figures.line("checks that each such process ran", "/".join(map(str, counts)))
    return 60 * len(folders) / spent


def _ran(output: str) -> int:
    """How many checks pytest ran.

    Raises:
        RuntimeError: it did not get so far; its last lines are the message.
    """
    found = re.findall(r"(\d+) (?:passed|failed|error)", output)
    if not found:
        raise RuntimeError(output[-2000:])
    return sum(map(int, found))


def _phases(out: Path, begun: float, spent: float, usual: float) -> None:
    """Start, steady state and end, by when each report was written."""
    reports = (out / "reports" / "student").glob("*.html")
    when = sorted(page.stat().st_mtime - begun for page in reports)
    # By then sessions have run every mistake that they compare with.
    half = len(when) // 2
    if not half:
        return
    steady = 60 * (len(when) - 1 - half) / max(when[-1] - when[half], 1e-9)
    figures.line("  start: until the first report", f"{when[0]:.1f} s")
    figures.line("  second half: submissions a minute", f"{steady:.0f}")
    figures.line("  second half: ratio", f"{steady / usual:.1f}")
    figures.line("  end: from the last report on", f"{spent - when[-1]:.1f} s")


def _stages(out: Path, spent: float) -> None:
    results = read_results(out)
    inside = sum(r.wall_s for r in results) / CORES
    workers = sum(r.cpu_s for r in results) / CORES
    figures.line("  of the wall time: workers' own CPU", f"{workers / spent:.0%}")
    rest = max(0.0, inside - workers)
    figures.line("  sessions: pytest, transport, judging", f"{rest / spent:.0%}")
    figures.line(
        "  start, intake, gradebook, reports", f"{max(0, spent - inside) / spent:.0%}"
    )


def read_results(out: Path) -> list[SubmissionResult]:
    """The lines of results.jsonl."""
    lines = (out / "results.jsonl").read_bytes().splitlines()
    return [from_json(line) for line in lines]


def trimmed_course(course: Course, root: Path, keep: dict[str, int]) -> Course:
    """A copy in ``root`` with the first checks of some exercises only."""
    for part in ("solutions", "suites", "mistakes"):
        target = root / getattr(course.folders, part)
        shutil.copytree(course.folder(part), target)
    text = (course.root / "course.toml").read_text(encoding="utf-8")
    head, *tables = re.split(r"(?m)^(?=\[\[exercises\]\])", text)
    kept = [t for t in tables if any(f'name = "{name}"' in t for name in keep)]
    (root / "course.toml").write_text(head + "".join(kept), encoding="utf-8")
    small = load_course(root)
    for name, count in keep.items():
        left = iter(range(count))
        for path in small.suite_paths(name):
            _keep_first(path, left)
    return small


def _keep_first(path: Path, left: Iterator[int]) -> None:
    """Keep as many checks of a suite as ``left`` still has, and use it up."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    tree.body = [
        node
        for node in tree.body
        if not (isinstance(node, ast.FunctionDef) and node.name.startswith("check_"))
        or next(left, None) is not None
    ]
    path.write_text(ast.unparse(tree), encoding="utf-8")
