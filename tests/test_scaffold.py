"""A new course and a new exercise are whole and proved from the first moment."""

import shutil
import subprocess
import sys

import pytest

from grader import scaffold
from grader.course import load_course
from grader.coursemap import course_map
from grader.errors import CourseError, UsageError
from grader.lang import speaking
from grader.lang.__main__ import main as catalogue_faults
from grader.lang.extract import course_words
from grader.release import bundle
from grader.release.recording import exercises_of
from grader.skeleton_notebooks import course_notebooks
from grader.skeletons import course_skeletons
from grader.validate.points import point_faults


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


@pytest.fixture
def strict(root, tmp_path):
    """A finished course that asks for five checks, with a new exercise in it."""
    folder = tmp_path / "kmeans"
    shutil.copytree(root / "examples/courses/kmeans", folder)
    scaffold.new_exercise(folder, "running_mean")
    return load_course(folder)


def test_new_exercise_of_a_finished_course_is_a_draft_that_validates(root, strict):
    """It has fewer checks than are asked for: that is said, and is no fault yet."""
    words = ["validate", "running_mean", "--course", strict.root, "--jobs", "1"]
    done = subprocess.run(
        [sys.executable, "-m", "grader", *map(str, words)],
        cwd=root,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "NOTE running_mean: a draft, in no bundle and graded only by" in done.stdout
    assert "NOTE running_mean: 3 checks; 5 when it is no draft" in done.stdout
    assert "everything holds" in done.stdout


def test_draft_is_in_no_bundle_no_map_and_no_catalogue(strict):
    assert [e.name for e in strict.select(None)] == ["assign", "update"]
    assert [e.name for e in strict.select(["running_mean"])] == ["running_mean"]
    assert exercises_of(strict) == ["assign", "update"]
    assert not [n for n in bundle.contents(strict, {}) if "running_mean" in n]
    assert "running_mean" not in course_map(strict)
    assert not [w for w in course_words(strict).values() if "running_mean" in w]


def test_finished_draft_is_held_to_what_the_course_asks(strict):
    exercise = strict.exercises["running_mean"]
    assert point_faults(strict, "running_mean", []) == [
        "running_mean: checks sum to 0, not 100"
    ]
    exercise.draft = False
    assert "running_mean: only 0 checks" in point_faults(strict, "running_mean", [])
    assert "running_mean" in [e.name for e in strict.select(None)]


@pytest.mark.parametrize("libraries", [["numpy"], ["torch", "numpy"]])
def test_new_exercise_has_skeleton_texts_in_both_languages_and_a_mistake(
    tmp_path, libraries
):
    course = scaffold.new_course(tmp_path / "new", libraries)
    assert course.libraries == libraries
    (name,) = course.exercises
    made = course_skeletons(course)
    for path, text in (made | course_notebooks(course)).items():
        assert path.read_text(encoding="utf-8") == text
        assert "NotImplementedError" in text
        if path.suffix == ".py":  # as linters want it
            assert text.splitlines()[0].endswith(".")
    assert course.exercises[name].title_zh
    mistakes = (course.folder("mistakes") / name / "mistakes.toml").read_text("utf-8")
    assert "hint_zh" in mistakes
    suite = course.suite_paths(name)[0].read_text("utf-8")
    assert ("expect_arrays" in suite) == (libraries == ["numpy"])
    assert catalogue_faults(["--check", "--course", str(course.root)]) == 0
    with speaking("zh", course):
        (skeleton,) = course_skeletons(course).values()
    assert "前若干个数的平均" in skeleton
    assert "Means of" not in skeleton


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
