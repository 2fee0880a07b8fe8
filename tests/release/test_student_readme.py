"""The bundle's README, followed to the letter in a folder with a difficult name."""

import json
import re
import shlex
import shutil
import subprocess
import sys
import zipfile

import pytest

from grader.course import load_course
from grader.lang import speaking
from grader.release import bundle

# Making an environment needs a network: the one that runs these tests is used.
SET_UP = ["python -m venv .venv", ".venv/bin/python -m pip install -r requirements.txt"]
ANY_PYTHON = re.compile(r"^(?:\.venv/bin/)?python -m grader ")


def commands(text):
    """The lines of the sh blocks without their comments."""
    blocks = re.findall(r"^```sh\n(.*?)^```", text, re.M | re.S)
    lines = [line.split("#")[0].strip() for b in blocks for line in b.splitlines()]
    return [line for line in lines if line]


@pytest.fixture(scope="module")
def home(root, tmp_path_factory):
    """A bundle unpacked, one exercise written, and a newer bundle beside it."""
    kmeans = load_course(root / "examples/courses/kmeans")
    folder = tmp_path_factory.mktemp("课程 (1)")
    made = bundle.write(kmeans, folder / "dist", {})
    with zipfile.ZipFile(made) as archive:
        archive.extractall(folder)
    here = folder / "kmeans"
    kmeans.version = "2099.1"
    bundle.write(kmeans, folder / "new", {}).rename(here / "FILE.zip")
    right = kmeans.folder("solutions") / "assign.py"
    (here / "exercises/assign.py").write_bytes(right.read_bytes())
    return here


def text_of(folder, name):
    return (folder / name).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def said(home, run) -> dict[str, subprocess.CompletedProcess[str]]:
    """What each command of the README said, in its order."""
    lines = commands(text_of(home, "README.md"))
    assert lines[:2] == SET_UP
    found = {}
    for line in lines[2:]:
        assert ANY_PYTHON.match(line), line
        found.setdefault(ANY_PYTHON.sub("", line), run(home, *shlex.split(line)[3:]))
    return found


def test_every_command_does_what_the_readme_says(said, home):
    codes = {line: done.returncode for line, done in said.items()}
    assert codes == {
        "check": 1,  # one of two exercises is written
        "check assign": 0,
        "handin": 0,
        "update FILE.zip": 0,
        "doctor --student": 0,
    }
    assert "assign" in said["check assign"].stdout
    assert "public checks: 3 of 6" in said["handin"].stdout
    assert (home / "kmeans-handin.zip").exists()
    assert "to 2099.1:" in said["update FILE.zip"].stdout
    assert "exercises/assign.py: you changed it" in said["update FILE.zip"].stdout


def test_grade_says_that_a_newer_bundle_was_there_and_repeats_the_receipt(
    said, home, root, tmp_path
):
    course = tmp_path / "kmeans"
    shutil.copytree(root / "examples/courses/kmeans", course)
    file = course / "course.toml"
    text = file.read_text(encoding="utf-8")
    (old,) = re.findall(r'^version = "(.+)"', text, re.M)
    file.write_text(text.replace(f'"{old}"', '"2099.1"'), encoding="utf-8")
    words = ["--out", tmp_path / "out", "--isolation", "none", "--jobs", "1"]
    command = ["grade", home / "kmeans-handin.zip", "--course", course, *words]
    done = subprocess.run(
        [sys.executable, "-m", "grader", *map(str, command)],
        cwd=root,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    row = json.loads((tmp_path / "out/results.jsonl").read_text(encoding="utf-8"))
    assert row["bundle"] == old
    assert [w for w in row["warnings"] if f"made with version {old} of the stud" in w]
    receipt = json.loads(text_of(home, "kmeans-handin.receipt.json"))
    digest = row["exercises"]["assign"]["sha256"]
    assert receipt["files"]["assign.py"] == digest
    (page,) = (tmp_path / "out/reports/student").glob("*.html")
    assert digest[:16] in page.read_text(encoding="utf-8")


def test_course_without_torch_is_told_nothing_of_it(said, home):
    for name in ("README.md", "README.zh.md", "requirements.txt"):
        assert "torch" not in text_of(home, name).lower(), name
    assert "torch" not in said["doctor --student"].stdout


def test_chinese_readme_has_the_same_commands_and_they_answer_in_chinese(home, run):
    english = commands(text_of(home, "README.md"))
    chinese = commands(text_of(home, "README.zh.md"))
    assert [line.replace(" --lang zh", "") for line in chinese] == english
    block = run(home, "doctor", "--student", "--lang", "zh").stdout
    assert "作业包   2099.1" in block
    assert "工作进程 " in block
    assert str(home.parent) not in block


def test_tutorial_for_students_names_the_same_commands(root, home):
    page = text_of(root, "docs/student.md")
    inline = re.findall(r"`(python -m grader [^`]+)`", page.replace("\n", " "))
    known = {c.split()[3] for c in commands(text_of(home, "README.md"))[2:]}
    assert {c.split()[3] for c in inline} == known | {"watch"}
    assert commands(page) == [*SET_UP, ".venv/bin/python -m grader check"]


def test_bundle_in_chinese_speaks_it_everywhere(root):
    kmeans = load_course(root / "examples/courses/kmeans")
    with speaking("zh", kmeans):
        files = bundle.contents(kmeans, {})
    workflow = files[".github/workflows/check.yml"].decode()
    assert "check --github --output result.json --lang zh\n" in workflow
    notebook = files["exercises/notebooks/assign.ipynb"].decode()
    for words in ("# not graded: 请先运行这一格", 'g.language = \\"zh\\"'):
        assert words in notebook
    for words in ("run this cell first", "the zip to hand in"):
        assert words not in notebook
