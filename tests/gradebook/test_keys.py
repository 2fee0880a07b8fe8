import pytest
from gradings import tiny_course

from grader.course import Limits, load_course
from grader.gradebook import KeyMaker
from grader.gradebook.keys import engine_digest, exercise_files


def keys(course, **changed):
    given = {
        "isolation": "full",
        "seed": "s",
        "versions": {"msgspec": "1"},
        "engine": "e",
    }
    maker = KeyMaker(course, **(given | changed))
    return {name: maker.key("digest", name) for name in course.exercises}


@pytest.fixture
def course(tmp_path):
    return tiny_course(tmp_path)


def changed(course, before):
    after = keys(load_course(course.root))
    return [name for name in before if before[name] != after[name]]


def test_same_things_give_the_same_key(course):
    assert keys(course) == keys(load_course(course.root))
    assert len(set(keys(course).values())) == 2


@pytest.mark.parametrize(
    "file",
    [
        "suites/public_add.py",
        "suites/hidden_add.py",
        "suites/kit_add.py",
        "solutions/add.py",
        "mistakes/add/wrong.py",
        "mistakes/add/mistakes.toml",
    ],
)
def test_changed_file_of_an_exercise_changes_that_exercise_alone(course, file):
    before = keys(course)
    path = course.root / file
    path.parent.mkdir(exist_ok=True)
    path.write_text("changed")
    assert changed(course, before) == ["add"]


def test_helper_in_the_suites_folder_changes_every_exercise(course):
    before = keys(course)
    (course.root / "suites" / "shared.py").write_text("x = 1")
    assert changed(course, before) == ["add", "mul"]


@pytest.mark.parametrize(
    "line",
    ["from add import add", "import add", "from solutions import (\n    add,\n)"],
)
def test_solution_that_imports_another_one_depends_on_it(course, line):
    (course.root / "solutions" / "mul.py").write_text(f"{line}\n")
    before = keys(course)
    (course.root / "solutions" / "add.py").write_text("changed")
    assert changed(course, before) == ["add", "mul"]


def test_points_and_limits_in_course_toml_count_but_titles_do_not(course):
    before = keys(course)
    toml = course.root / "course.toml"
    text = toml.read_text()
    toml.write_text(text.replace('title = "add"', 'title = "Sums"'))
    assert changed(course, before) == []
    toml.write_text(text.replace('points = "10"', 'points = "11"', 1))
    assert changed(course, before) == ["add"]


@pytest.mark.parametrize(
    "change",
    [
        {"isolation": "none"},
        {"seed": "t"},
        {"versions": {"msgspec": "2"}},
        {"engine": "f"},
        {"limits": Limits(check_cpu_s=9)},
    ],
)
def test_each_circumstance_of_grading_changes_every_key(course, change):
    before, after = keys(course), keys(course, **change)
    assert all(before[name] != after[name] for name in before)


def test_files_of_the_student_and_what_is_special_about_them_count(course):
    maker = KeyMaker(course, isolation="full", seed="s")
    found = {
        maker.key("digest", "add"),
        maker.key("digesu", "add"),
        maker.key("digest", "add", extra="time 2.0"),
    }
    assert len(found) == 3
    assert maker.key("digest", "add") == maker.key("digest", "add", extra="")


def test_caches_of_python_do_not_count(course):
    before = exercise_files(course, "add")
    cache = course.root / "suites" / "__pycache__"
    cache.mkdir()
    (cache / "public_add.cpython-311.pyc").write_bytes(b"x")
    assert exercise_files(course, "add") == before


def test_engine_digest_is_stable_within_a_version():
    assert engine_digest() == engine_digest()
