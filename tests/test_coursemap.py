"""README's map of the course is the one that course.toml gives."""

import re
from pathlib import Path

import pytest

from grader.course import Course
from grader.coursemap import BEGIN, END, course_map, with_map
from grader.errors import CourseError


def test_map_in_readme_is_up_to_date(root: Path, course: Course):
    text = (root / "README.md").read_text(encoding="utf-8")
    assert with_map(text, course_map(course)) == text, "run: make skeletons"


def test_map_has_each_exercise_with_a_suite_once_and_no_other(course: Course):
    listed = re.findall(r"\[`(\w+)`\]", course_map(course))
    assert len(set(listed)) == len(listed)
    given = [e.name for e in course.select(None)]
    there = {n for n in given if course.suite_paths(n)}
    assert set(listed) == there | set(course.quizzes)


def test_a_chapter_is_named_in_its_first_row_only(course: Course):
    first = [row.split("|")[1].strip() for row in course_map(course).splitlines()[2:]]
    named = [title for title in first if title]
    assert named
    assert len(set(named)) == len(named)


def test_text_around_the_map_is_kept():
    old = f"before\n{BEGIN}old\n{END}after\n"
    assert with_map(old, "new\n") == f"before\n{BEGIN}new\n{END}after\n"


def test_readme_without_marks_is_refused():
    with pytest.raises(CourseError, match=r"README\.md has no lines <!-- map"):
        with_map("no marks\n", "new\n")
