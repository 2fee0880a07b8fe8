"""What make says when it cannot set itself up, and what .ci/run does with failures."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

STUB_PYTHON = """#!/bin/sh
case "$1 $2" in
  "--version ") echo "Python 3.9.1" ;;
  *version_info*) {version} ;;
  *ensurepip*) {venv} ;;
esac
"""


def setup(root: Path, python: Path | str, venv: Path) -> subprocess.CompletedProcess:
    command = ["make", "setup", f"PYTHON={python}", f"VENV={venv}"]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=60)


def stub(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.mark.parametrize(
    ("version", "venv", "message"),
    [
        ("exit 1", "exit 0", r"Python 3\.9\.1 is too old, 3\.11 is needed"),
        ("exit 0", "exit 1", r"cannot make environments.*apt install python3-venv"),
    ],
)
def test_setup_names_what_this_python_lacks_and_makes_nothing(
    root: Path, tmp_path: Path, version: str, venv: str, message: str
):
    text = STUB_PYTHON.format(version=version, venv=venv)
    done = setup(root, stub(tmp_path / "python", text), tmp_path / "venv")
    assert done.returncode == 2
    assert re.search(message, done.stderr)
    assert not (tmp_path / "venv").exists()


def test_setup_without_python_says_what_to_install(root: Path, tmp_path: Path):
    done = setup(root, "no-such-python", tmp_path / "venv")
    assert done.returncode == 2
    assert "no-such-python was not found. Install Python 3.11 or newer" in done.stderr


def test_every_target_but_help_makes_the_environment_first(root: Path, tmp_path: Path):
    text = (root / "Makefile").read_text(encoding="utf-8")
    phony = re.search(r"^\.PHONY: (.+)$", text, re.M)
    assert phony
    for target in phony[1].split():
        command = ["make", "-n", target, f"VENV={tmp_path / 'none'}"]
        shown = subprocess.run(command, cwd=root, capture_output=True, text=True).stdout
        assert ("-m venv" in shown) == (target != "help"), target


def test_torch_is_pinned_in_a_form_that_fits_every_platform(root: Path):
    pins = (root / "constraints.txt").read_text(encoding="utf-8").splitlines()
    assert "torch==2.13.0" in pins


def run_ci(root: Path, tmp_path: Path, failing: str) -> subprocess.CompletedProcess:
    """.ci/run in a copy, with a make that only tells its target."""
    copy = tmp_path / "clone"
    (copy / ".ci").mkdir(parents=True)
    shutil.copy2(root / ".ci/run", copy / ".ci")
    tools = tmp_path / "bin"
    tools.mkdir()
    stub(tools / "make", f'#!/bin/sh\necho "ran $1"; [ "$1" != "{failing}" ]\n')
    for optional in ("chromium", "apt-get"):
        stub(tools / optional, "#!/bin/sh\nexit 1\n")
    path = f"{tools}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", ".ci/run"],
        cwd=copy,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_ci_sets_up_then_lints_validates_and_tests(root: Path, tmp_path: Path):
    done = run_ci(root, tmp_path, failing="nothing")
    assert done.returncode == 0, done.stderr
    ran = re.findall(r"^ran (\w+)", done.stdout, re.M)
    assert ran == ["setup", "lint", "validate", "test"]


@pytest.mark.parametrize("target", ["lint", "validate", "test"])
def test_ci_fails_and_names_what_failed_but_runs_the_rest(
    root: Path, tmp_path: Path, target: str
):
    done = run_ci(root, tmp_path, failing=target)
    assert done.returncode == 1
    assert done.stdout.endswith(f"failed: {target}\n")
    assert len(re.findall(r"^ran ", done.stdout, re.M)) == 4


def test_ci_stops_when_the_environment_cannot_be_made(root: Path, tmp_path: Path):
    done = run_ci(root, tmp_path, failing="setup")
    assert done.returncode != 0
    assert re.findall(r"^ran (\w+)", done.stdout, re.M) == ["setup"]
