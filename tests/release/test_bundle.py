"""The student bundle: what is in it, what is not, and that it works alone."""

import json
import zipfile
import zlib
from pathlib import Path

import pytest

from grader.course import Course, load_course
from grader.errors import CourseError
from grader.release import bundle, leaks, manifest
from grader.scaffold import new_course
from grader.skeletons import find_blocks

# Calls of the library, as its own documentation has them.
COMMON = {
    "enforce_sorted=False,",
    "with torch.no_grad():",
    "return context, weights",
    "packed = pack_padded_sequence(",
    "self.embed(source), lengths, batch_first=True, enforce_sorted=False",
}


def telling_lines(course: Course) -> set[str]:
    """Long lines of solutions, hidden suites, mistakes and quiz answers.

    Found here by another way than the one that guards the release: whatever is
    long enough to be nobody's coincidence, less what every student gets.
    """
    hidden = [
        *course.folder("suites").glob("hidden_*.py"),
        *course.folder("mistakes").glob("*/*.py"),
        *course.folder("quiz").glob("answers_*.toml"),
    ]
    texts = [path.read_text(encoding="utf-8") for path in hidden]
    for path in course.folder("solutions").glob("*.py"):
        text = path.read_text(encoding="utf-8")
        lines = text.splitlines()
        texts += [
            "\n".join(lines[b.first + 1 : b.last]) for b in find_blocks(text, path.name)
        ]
    public = [
        *course.folder("suites").glob("public_*.py"),
        *course.folder("suites").glob("kit_*.py"),
        *course.folder("exercises").glob("*.py"),
    ]
    shown = {
        line.strip()
        for path in public
        for line in path.read_text(encoding="utf-8").splitlines()
    }
    found = {line.strip() for text in texts for line in text.splitlines()}
    return {
        line
        for line in found - shown
        if len(line) >= 20
        and line not in COMMON
        and not line.startswith(("import ", "from "))
    }


def readable(name: str, data: bytes) -> str:
    """A member as text: notebooks cell by cell, recorded numbers unpacked."""
    if name.endswith(".ipynb"):
        cells = json.loads(data)["cells"]
        return "\n".join("".join(cell["source"]) for cell in cells)
    if name.endswith(".bin"):
        data = zlib.decompress(data)
    return data.decode("utf-8", "replace")


def test_no_line_of_the_teaching_side_is_anywhere_in_it(course, bundle_zip):
    secret = telling_lines(course)
    assert len(secret) > 1000
    with zipfile.ZipFile(bundle_zip) as archive:
        for name in archive.namelist():
            text = readable(name, archive.read(name))
            lines = {line.strip() for line in text.splitlines()}
            found = sorted(lines & secret)
            assert found == [], name
            if name.endswith(".bin"):  # no line ends in there
                assert not [s for s in secret if s in text], name


def test_it_holds_neither_compiled_code_nor_the_teachers_folders(bundle_zip, course):
    with zipfile.ZipFile(bundle_zip) as archive:
        names = archive.namelist()
    assert not [n for n in names if n.endswith((".pyc", ".pyo")) or "__pycache__" in n]
    for part in ("solutions/", "variants/", "hidden_", "answers_", "/batch/", "tests/"):
        assert not [n for n in names if part in n], part
    exercises = [n for n in names if "/exercises/" in n and n.endswith(".py")]
    assert len(exercises) >= 19
    assert {n.split("/")[0] for n in names} == {course.name}


def test_guard_finds_a_solution_in_a_notebook_in_code_and_in_numbers(course):
    secret = leaks.secret_lines(course)
    line = next(s for s, name in secret.items() if name == "masked_softmax.py")
    notebook = {"cells": [{"cell_type": "code", "source": ["x = 1\n", f"  {line}\n"]}]}
    files = {
        "a.ipynb": json.dumps(notebook).encode(),
        "b.py": f"def f():\n    {line}\n".encode(),
        "c.bin": zlib.compress(f"\n{line}\n".encode()),
        "d.pyc": b"",
        "e.py": b"x = 1\n",
    }
    found = leaks.find(files, secret)
    assert [sentence.split()[0] for sentence in found] == [
        "a.ipynb", "b.py", "c.bin", "d.pyc",
    ]  # fmt: skip


def test_release_is_refused_when_a_public_suite_tells_a_solution(root, tmp_path):
    course = copied_course(root, tmp_path)
    suite = course.folder("suites") / "public_plain.py"
    suite.write_text(suite.read_text() + "\n# return 2 * x + 0 * x\n")
    solution = course.folder("solutions") / "plain.py"
    text = solution.read_text().replace("return 2 * x", "# return 2 * x + 0 * x")
    solution.write_text(text)
    with pytest.raises(CourseError, match=r"no bundle was written: .*public_plain"):
        bundle.contents(course, {})


def test_engine_may_hold_a_short_line_of_a_solution_but_no_long_one(root, tmp_path):
    """What students write first, ``for value in values:``, is in any program."""
    course = new_course(tmp_path / "new", ["numpy"])
    assert "grader/cli/__init__.py" in bundle.contents(course, {})
    engine = root / "grader/cli/__init__.py"
    line = max(engine.read_text(encoding="utf-8").splitlines(), key=len).strip()
    solution = course.folder("solutions") / "running_mean.py"
    text = solution.read_text(encoding="utf-8").replace(
        "    return found", f"    {line}"
    )
    solution.write_text(text, encoding="utf-8")
    told = r"no bundle was written: grader/cli/__init__\.py"
    with pytest.raises(CourseError, match=told):
        bundle.contents(course, {})


def copied_course(root: Path, tmp_path: Path) -> Course:
    import shutil

    folder = tmp_path / "course"
    shutil.copytree(root / "tests/courses/engine", folder)
    (folder / "solutions/boundary.py").unlink()
    return load_course(folder)


def test_same_course_gives_the_same_bytes(root, tmp_path):
    course = copied_course(root, tmp_path)
    first = bundle.write(course, tmp_path / "one", {}).read_bytes()
    second = bundle.write(course, tmp_path / "two", {}).read_bytes()
    assert first == second


def test_manifest_names_version_and_every_file(unpacked, course):
    made = manifest.read(unpacked)
    assert made is not None
    assert (made.course, made.version) == (course.name, course.version)
    there = {
        p.relative_to(unpacked).as_posix()
        for p in unpacked.rglob("*")
        if p.is_file() and "__pycache__" not in p.parts
    }
    assert set(made.files) | {manifest.NAME} >= there - {f"{course.name}-handin.zip"}
    for name, file in made.files.items():
        assert file.yours == name.startswith("exercises/"), name


@pytest.mark.parametrize(
    ("console", "fresh"), [("cp936", "--fresh-worker"), ("cp1252", "")]
)
def test_mistake_is_named_from_numbers_alone_on_any_console(
    unpacked, course, run, console, fresh
):
    """In a folder with blanks and Chinese characters, by either kind of worker."""
    wrong = course.folder("mistakes") / "masked_softmax" / "mask_after_softmax.py"
    mine = unpacked.parent / "masked_softmax.py"
    mine.write_bytes(wrong.read_bytes() + "\n# 我的答案 ∂ é\n".encode())
    words = ["check", "masked_softmax", "--file", mine, *([fresh] if fresh else [])]
    done = run(unpacked, *words, PYTHONIOENCODING=console)
    assert done.returncode == 1, done.stderr
    assert "mistake:  mask applied after the softmax" in done.stdout
    assert "case that still fails: masked_softmax(scores, mask)" in done.stdout
    assert "hidden checks decide the rest" in done.stdout
    assert done.stderr == ""


def test_command_of_the_teaching_side_says_that_it_is_not_here(unpacked, run):
    done = run(unpacked, "validate")
    assert done.returncode == 2
    assert "no part of the student bundle" in done.stderr


def test_doctor_prints_a_block_for_the_forum(unpacked, run, course):
    done = run(unpacked, "doctor", "--student")
    assert done.returncode == 0, done.stderr
    assert f"bundle   {course.version}" in done.stdout
    assert "torch" in done.stdout
    assert str(unpacked.parent) not in done.stdout


def test_requirements_are_ranges_and_intel_macs_get_numpy_1(unpacked):
    lines = (unpacked / "requirements.txt").read_text(encoding="utf-8").splitlines()
    assert not [line for line in lines if "==" in line and "platform" not in line]
    assert "torch>=2.2" in lines
    assert [line for line in lines if "<2" in line and '"x86_64"' in line]
