"""Gradescope's autograder in a scratch root: both scripts run as they would there."""

import json
import os
import shutil
import stat
import subprocess
import sys
import zipfile

import pytest

from grader.course import load_course
from grader.release.gradescope import write


@pytest.fixture(scope="module")
def autograder(root, tmp_path_factory):
    """/autograder as Gradescope lays it out, after setup.sh."""
    kmeans = load_course(root / "examples/courses/kmeans")
    scratch = tmp_path_factory.mktemp("auto grader")
    with zipfile.ZipFile(write(kmeans, tmp_path_factory.mktemp("dist"))) as archive:
        archive.extractall(scratch / "source")
    done = call(scratch, "setup.sh")
    assert done.returncode == 0, done.stderr
    return scratch


def call(scratch, script):
    return subprocess.run(
        ["bash", str(scratch / "source" / script)],
        cwd=scratch,
        env={
            **os.environ,
            "AUTOGRADER_ROOT": str(scratch),
            "GRADER_PYTHON": sys.executable,
        },
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=240,
    )


def graded(autograder, **files):
    shutil.rmtree(autograder / "submission", ignore_errors=True)
    shutil.rmtree(autograder / "results", ignore_errors=True)
    (autograder / "submission").mkdir()
    for name, text in files.items():
        (autograder / "submission" / f"{name}.py").write_text(text, encoding="utf-8")
    done = call(autograder, "run_autograder")
    results = json.loads((autograder / "results/results.json").read_text())
    return done, results


def solution(root, name):
    path = root / "examples/courses/kmeans/solutions" / f"{name}.py"
    return path.read_text(encoding="utf-8")


def test_zip_has_its_scripts_at_the_root_and_executable(root, tmp_path):
    kmeans = load_course(root / "examples/courses/kmeans")
    with zipfile.ZipFile(write(kmeans, tmp_path)) as archive:
        infos = {i.filename: i for i in archive.infolist()}
    for script in ("setup.sh", "run_autograder"):
        assert infos[script].external_attr >> 16 & stat.S_IXUSR
    assert "course/suites/hidden_assign.py" in infos
    assert not [n for n in infos if n.endswith(".pyc")]


def test_suites_are_readable_by_root_alone(autograder):
    for name in ("course", "course/suites", "course/suites/hidden_assign.py"):
        mode = (autograder / "source" / name).stat().st_mode
        assert mode & 0o077 == 0, name


def test_right_answer_gets_its_points_and_hidden_checks_are_not_shown(root, autograder):
    done, results = graded(autograder, assign=solution(root, "assign"))
    assert done.returncode == 0, done.stderr
    assert results["score"] == 100
    assert results["stdout_visibility"] == "hidden"
    shown = {t["visibility"] for t in results["tests"]}
    assert shown == {"visible", "after_published"}
    assert sum(t["max_score"] for t in results["tests"]) == 200
    assert "Public checks: 3 of 6 passed" in results["output"]


def test_submission_without_an_exercise_gets_a_sentence(autograder):
    done, results = graded(autograder)
    assert done.returncode == 0, done.stderr
    assert results["score"] == 0
    assert results["output"]
    assert results["tests"] == []


def test_crash_of_the_grader_leaves_a_message(root, autograder):
    course = autograder / "source/course/course.toml"
    text = course.read_text(encoding="utf-8")
    course.write_text("schema = 'broken'\n", encoding="utf-8")
    try:
        done, results = graded(autograder, assign=solution(root, "assign"))
    finally:
        course.write_text(text, encoding="utf-8")
    assert done.returncode == 1
    assert "no judgement of your work" in results["output"]
    assert "course.toml" in done.stderr


def test_program_that_is_killed_before_it_says_a_word_leaves_a_message(autograder):
    script = (autograder / "source/run_autograder").read_text(encoding="utf-8")
    body = script.replace('exec "$python"', 'exec kill -9 $$ #"$python"')
    (autograder / "source/killed").write_text(body, encoding="utf-8")
    shutil.rmtree(autograder / "results", ignore_errors=True)
    done = call(autograder, "killed")
    assert done.returncode != 0
    results = json.loads((autograder / "results/results.json").read_text())
    assert results["score"] == 0
    assert "did not finish" in results["output"]
