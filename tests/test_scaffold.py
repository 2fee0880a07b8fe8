"""A new course and a new exercise are whole and proved from the first moment."""

import subprocess
import sys

import pytest

from grader import scaffold
from grader.errors import CourseError, UsageError
from grader.skeletons import course_skeletons


def test_new_course_and_a_second_exercise_pass_validate_at_once(root, tmp_path):
    folder = tmp_path / "my 课程"
    for words in (
        ["new", "course", folder, "--libraries", "numpy"],
        ["new", "exercise", "second_one", "--course", folder],
        ["validate", "--course", folder, "--jobs", "1"],
    ):
        done = subprocess.run(
            [sys.executable, "-m", "grader", *map(str, words)],
            cwd=root,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=120,
        )
        assert done.returncode == 0, done.stdout + done.stderr
    assert "everything holds" in done.stdout
    assert "second_one" in done.stdout


@pytest.mark.parametrize("libraries", [["numpy"], ["torch", "numpy"]])
def test_new_exercise_has_skeleton_texts_in_both_languages_and_a_mistake(
    tmp_path, libraries
):
    course = scaffold.new_course(tmp_path / "new", libraries)
    assert course.libraries == libraries
    (name,) = course.exercises
    for path, text in course_skeletons(course).items():
        assert path.read_text(encoding="utf-8") == text
        assert "NotImplementedError" in text
    assert course.exercises[name].title_zh
    mistakes = (course.folder("mistakes") / name / "mistakes.toml").read_text("utf-8")
    assert "hint_zh" in mistakes
    suite = course.suite_paths(name)[0].read_text("utf-8")
    assert ("expect_arrays" in suite) == (libraries == ["numpy"])


def test_nothing_that_exists_is_replaced(tmp_path):
    course = scaffold.new_course(tmp_path / "new", ["numpy"])
    before = {p: p.read_bytes() for p in course.root.rglob("*") if p.is_file()}
    with pytest.raises(UsageError, match="is not empty; name a new folder"):
        scaffold.new_course(course.root, ["numpy"])
    with pytest.raises(UsageError, match="there is an exercise running_mean already"):
        scaffold.new_exercise(course.root, "running_mean")
    with pytest.raises(UsageError, match="is no name for a module"):
        scaffold.new_exercise(course.root, "two words")
    (course.root / "suites" / "public_third.py").write_text("mine")
    with pytest.raises(UsageError, match=r"public_third\.py exists already"):
        scaffold.new_exercise(course.root, "third")
    (course.root / "suites" / "public_third.py").unlink()
    assert before == {p: p.read_bytes() for p in course.root.rglob("*") if p.is_file()}


def test_next_year_keeps_exercises_and_comments_and_forgets_deadlines(tmp_path):
    old = scaffold.new_course(tmp_path / "old", ["numpy"])
    file = old.root / "course.toml"
    file.write_text(
        file.read_text(encoding="utf-8")
        + '\n[[assignments]]\nname = "week1"\ndeadline = 2026-10-01T20:00:00\n'
        'exercises = ["running_mean"]\n',
        encoding="utf-8",
    )
    (old.root / "out").mkdir()
    (old.root / "out" / "gradebook.sqlite").write_bytes(b"secret seed")
    new = scaffold.continue_course(tmp_path / "next", old.root)
    text = (new.root / "course.toml").read_text(encoding="utf-8")
    assert new.version == "2.1"
    assert "deadline" not in text
    assert 'name = "week1"' in text
    assert "# Unknown keys are refused" in text
    assert list(new.exercises) == list(old.exercises)
    assert not (new.root / "out").exists()
    assert len(new.suite_paths("running_mean")) == 2


def test_folder_without_a_course_cannot_be_continued(tmp_path):
    with pytest.raises(CourseError, match=r"has no course\.toml"):
        scaffold.continue_course(tmp_path / "next", tmp_path)
    assert not (tmp_path / "next").exists()
