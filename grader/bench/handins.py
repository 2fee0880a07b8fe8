"""Submissions to measure with: solutions and mistakes, no two alike."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from grader.course import Course
from grader.quiz.model import load_answers
from grader.quiz.proof import sheet, written
from grader.submission import Source, Submission

RIGHT = 0.6  # share of exercises that are answered rightly


def texts_of(course: Course, exercise: str) -> tuple[str, list[str]]:
    """The solution and every mistake of an exercise."""
    solution = course.folder("solutions") / f"{exercise}.py"
    wrong = sorted((course.folder("mistakes") / exercise).glob("*.py"))
    texts = [path.read_text(encoding="utf-8") for path in wrong]
    return solution.read_text(encoding="utf-8"), texts


def reference_handin(course: Course, exercises: list[str]) -> Submission:
    """The solutions, and the right answers to quizzes, as one submission."""
    code = [name for name in exercises if name not in course.quizzes]
    made = handin("reference", {name: texts_of(course, name)[0] for name in code})
    for name in (n for n in exercises if n in course.quizzes):
        answers = load_answers(course, name).items()
        right = {question: written(answer) for question, answer in answers}
        made.files.update(sheet(right, name).files)
    return made


def handin(id_: str, texts: dict[str, str]) -> Submission:
    """A submission of these source texts."""
    files = {
        name: Source(name, f"{name}.py", text.encode(), text=text)
        for name, text in texts.items()
    }
    return Submission(id=id_, files=files)


def generate(course: Course, exercises: list[str], count: int) -> list[Submission]:
    """``count`` different submissions, the same ones each time."""
    return list(generate_lazily(course, exercises, count))


def generate_lazily(
    course: Course, exercises: list[str], count: int
) -> Iterator[Submission]:
    """The same one by one: a long batch need not be held in memory."""
    known = {name: texts_of(course, name) for name in exercises}
    for number in range(count):
        draw = random.Random(number)
        id_ = f"s{number:05d}"
        texts = {}
        for name, (right, wrong) in known.items():
            text = right if not wrong or draw.random() < RIGHT else draw.choice(wrong)
            texts[name] = f"{text}\n# handed in by {id_}\n"
        yield handin(id_, texts)


def write(submissions: list[Submission], folder: Path) -> None:
    """Lay them out as a folder of folders, as a TA has them."""
    for submission in submissions:
        place = folder / submission.id
        place.mkdir(parents=True)
        for source in submission.files.values():
            (place / source.path).write_bytes(source.data)
