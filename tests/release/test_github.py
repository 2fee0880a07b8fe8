"""The workflows: what they run is run here, on a bundle of the example course."""

import json
import os
import re
import shlex
import subprocess
import sys
import zipfile

import pytest
import yaml

from grader.course import load_course
from grader.release import bundle

EVIL = "x\n::set-output name=a::b | <b> % [k](u)"


def steps(text):
    (job,) = yaml.safe_load(text)["jobs"].values()
    return [s["run"] for s in job["steps"] if "run" in s]


@pytest.fixture(scope="module")
def repository(root, tmp_path_factory):
    """A student's repository: the bundle, one exercise right, one wrong."""
    kmeans = load_course(root / "examples/courses/kmeans")
    home = tmp_path_factory.mktemp("repo")
    with zipfile.ZipFile(bundle.write(kmeans, home, {})) as archive:
        archive.extractall(home)
    folder = home / "kmeans"
    solutions = kmeans.folder("solutions")
    (folder / "exercises/assign.py").write_bytes((solutions / "assign.py").read_bytes())
    text = f"def means(points, labels, centres):\n    raise KeyError({EVIL!r})\n"
    (folder / "exercises/update.py").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def ran(repository, tmp_path_factory):
    """The check step of the bundle's own workflow, as a runner would call it."""
    workflow = (repository / ".github/workflows/check.yml").read_text(encoding="utf-8")
    (command,) = [s for s in steps(workflow) if "grader" in s]
    words = shlex.split(command)
    assert words[0] == "python"
    summary = tmp_path_factory.mktemp("runner") / "summary.md"
    done = subprocess.run(
        [sys.executable, *words[1:]],
        cwd=repository,
        env={**os.environ, "GITHUB_STEP_SUMMARY": str(summary)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
    )
    return done, summary.read_text(encoding="utf-8")


def test_failed_checks_are_annotations_on_the_students_own_lines(ran):
    done, _ = ran
    assert done.returncode == 1, done.stderr
    commands = [s for s in done.stdout.splitlines() if s.startswith("::")]
    assert len(commands) == 3
    assert all(
        s.startswith("::error file=exercises/update.py,line=2,title=update%3A ")
        for s in commands
    )
    assert "KeyError was raised at line 2" in commands[0]
    assert "public: 3 of 6" in done.stdout


def test_text_of_a_student_is_no_workflow_command_and_no_markdown(ran):
    done, summary = ran
    assert not [s for s in done.stdout.splitlines() if s.startswith("::set-output")]
    assert "<b>" not in summary
    assert "](u)" not in summary


def test_summary_has_a_row_for_each_exercise_and_the_reasons(ran):
    _, summary = ran
    assert "Public checks: **3 of 6**" in summary
    assert "(`assign`) | 3 of 3 |" in summary
    assert "### Move the centres" in summary


def test_result_is_left_as_json_for_the_artifact(ran, repository):
    result = json.loads((repository / "result.json").read_text(encoding="utf-8"))
    assert result["schema"] == 1
    assert result["exercises"]["assign"]["status"] == "passed"


def test_every_line_that_a_workflow_runs_is_run_by_a_test_or_by_ci(root, repository):
    """The bundle's check is the one of ``ran``; a network is needed for the other."""
    workflow = (repository / ".github/workflows/check.yml").read_text(encoding="utf-8")
    install, check = steps(workflow)
    assert install == "python -m pip install -r requirements.txt"
    assert (repository / "requirements.txt").exists()
    assert check.startswith("python -m grader check --github ")
    ci = (root / ".ci/run").read_text(encoding="utf-8")
    (targets,) = re.findall(r"^for target in ([a-z ]+); do$", ci, re.M)
    course = (root / ".github/workflows/course.yml").read_text(encoding="utf-8")
    assert "\nmake setup\n" in ci
    assert steps(course) == ["make setup", *(f"make {t}" for t in targets.split())]
