"""README's commands do what README says, and its sample is a real one."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from grader.course import Course

LIMIT_S = 280
SAMPLE = "grader/mistakes/masked_softmax/mask_after_softmax.py"

# The environment is the one that runs these tests: making it anew takes minutes.
# -o calls its stamp up to date, PY names its interpreter; all else is the recipe.
MAKE = ["make", "-s", "-o", ".venv/.installed", f"PY={sys.executable}"]

# Commands that are looked at (make -n) and not run, each with its reason.
ONLY_LOOKED_AT = {
    "make setup": "builds the environment",
    "make grade": "all examples: tests/e2e or a person; one of them is graded below",
    "make validate": "minutes; .ci/run calls it next to this test",
    "make test": "is running this test",
    "make lint": "minutes of mypy; .ci/run calls it next to this test",
    "make docs": "builds the site; tests/test_site.py does it",
    "make watch": "never ends; tests/commands/test_watch.py saves and looks",
    "make release": "minutes; tests/release writes a bundle and tries it",
    "make skeletons": "would write tracked files; test_skeletons.py compares them",
    "make bench": "minutes; a part of it is run below",
    "make mutants": "minutes; tests/mutants scores a small suite",
}
GRADE = "make grade SUBMISSIONS=path/to/hand-ins OUT=out/week1"


def commands(root: Path) -> list[str]:
    """Every command of README's sh blocks, without its comment."""
    text = (root / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```sh\n(.*?)^```", text, re.M | re.S)
    lines = [line.split("#")[0].strip() for b in blocks for line in b.splitlines()]
    return [line for line in lines if line]


def make(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*MAKE, *arguments],
        cwd=root,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=LIMIT_S,
    )


def test_every_command_is_a_make_target_with_a_recipe(root: Path):
    found = commands(root)
    assert len(found) >= 9
    for command in found:
        program, *arguments = shlex.split(command)
        assert program == "make", command
        shown = make(root, "-n", *arguments)
        assert shown.returncode == 0, shown.stderr


def test_every_command_is_run_here_or_says_why_not(root: Path):
    run = {"make check", "make check EX=masked_softmax", GRADE, "make help"}
    assert set(commands(root)) == run | set(ONLY_LOOKED_AT)


def test_make_check_on_a_fresh_clone_says_where_to_start(root: Path, course: Course):
    done = make(root, "check")
    assert done.returncode == 2  # make's own code for a recipe that ended with 1
    assert re.search(r"\b0 of \d+ exercises", done.stdout)
    named = re.findall(r"make check EX=(\w+)", done.stdout)
    assert named
    assert set(named) <= set(course.exercises)
    assert "Traceback" not in done.stdout + done.stderr


def test_make_check_of_one_exercise_calls_it_not_written_yet(root: Path):
    done = make(root, "check", "EX=masked_softmax")
    assert done.returncode == 2
    assert "not written yet" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


def test_make_grade_writes_what_readme_promises(root: Path, tmp_path: Path):
    out = tmp_path / "week 1"
    # none: this test is about files; what isolation a machine gives is not ours.
    arguments = ["ISOLATION=none", f"OUT={out}", "SUBMISSIONS=examples/submissions/ada"]
    done = make(root, "grade", *arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "index.html" in done.stdout.replace("\n", "")
    assert (out / "index.html").is_file()
    for edition in ("ta", "student"):
        assert len(list((out / "reports" / edition).glob("*.html"))) == 1
    lines = (out / "results.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 1
    assert '"status":"graded"' in lines[0]


def test_make_help_lists_every_target(root: Path):
    makefile = (root / "Makefile").read_text(encoding="utf-8")
    phony = re.search(r"^\.PHONY: (.+)$", makefile, re.M)
    assert phony
    shown = make(root, "help").stdout
    assert re.findall(r"^  (\w+) ", shown, re.M) == phony[1].split()


def test_make_bench_measures_round_trips(root: Path):
    done = make(root, "bench", "ARGS=--quick calls")
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"empty call +\d", done.stdout)


def test_sample_in_readme_is_what_check_prints(root: Path, tmp_path: Path):
    text = (root / "README.md").read_text(encoding="utf-8")
    sample = text.split("```text\n", 1)[1].split("```", 1)[0]
    handed_in = tmp_path / "masked_softmax.py"
    shutil.copy(root / SAMPLE, handed_in)
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "grader",
            "check",
            "masked_softmax",
            "--file",
            handed_in,
        ],
        cwd=root,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=LIMIT_S,
    )
    # The first line names what was checked: there a student's folder, here a file.
    printed = done.stdout.splitlines()[1:]
    assert sample.splitlines()[1:] == printed, f"README's sample is now:\n{done.stdout}"


@pytest.mark.parametrize("name", ["docs/how-it-works.md", "CONTRIBUTING.md"])
def test_readme_links_the_documents_a_reader_needs_next(root: Path, name: str):
    assert f"]({name})" in (root / "README.md").read_text(encoding="utf-8")
