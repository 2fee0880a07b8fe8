"""The map of the course in README: chapter, exercise, section, file.

It is made from ``course.toml``, so that the two cannot tell different stories:

    python -m grader.coursemap
"""

from __future__ import annotations

import sys
from pathlib import Path

from grader.course import Course, Exercise, load_course
from grader.errors import CourseError
from grader.quiz.model import questions_path

BEGIN = "<!-- map: made by make skeletons -->\n"
END = "<!-- end of map -->\n"
KINDS = {"lab": " (lab)", "quiz": " (quiz)"}


def course_map(course: Course) -> str:
    """A Markdown table of the exercises, labs and quizzes, in course order."""
    folder = course.folders.exercises
    rows = ["| chapter | exercise | file | course |", "|---|---|---|---|"]
    for chapter in course.chapters:
        title = chapter.title
        for exercise in course.exercises.values():
            if exercise.chapter != chapter.id or not is_there(course, exercise):
                continue
            ending = "toml" if exercise.kind == "quiz" else "py"
            file = f"[`{exercise.name}`]({folder}/{exercise.name}.{ending})"
            kind = KINDS.get(exercise.kind, "")
            rows.append(
                f"| {title} | {exercise.title}{kind} | {file} | {exercise.section} |"
            )
            title = ""  # a chapter is named once
    return "\n".join(rows) + "\n"


def is_there(course: Course, exercise: Exercise) -> bool:
    """Whether students have it: no draft, and with a suite, or questions."""
    if exercise.draft:
        return False
    if exercise.kind == "quiz":
        return questions_path(course, exercise.name).exists()
    return bool(course.suite_paths(exercise.name))


def with_map(readme: str, made: str) -> str:
    """``readme`` with ``made`` between its marks.

    Raises:
        CourseError: the marks are not there.
    """
    head, begin, rest = readme.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end:
        raise CourseError(f"README.md has no lines {BEGIN.strip()} and {END.strip()}.")
    return f"{head}{BEGIN}{made}{END}{tail}"


def main() -> int:
    """Write the map into README.md of the course in the working directory."""
    readme = Path("README.md")
    try:
        text = readme.read_text(encoding="utf-8")
        made = with_map(text, course_map(load_course(Path())))
    except CourseError as e:
        print(f"grader: error: {e}", file=sys.stderr)
        return e.exit_code
    if made != text:
        readme.write_bytes(made.encode())
        print("written README.md")
    return 0


if __name__ == "__main__":
    sys.exit(main())
