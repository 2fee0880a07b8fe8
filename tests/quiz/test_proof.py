"""The quiz of the course is sound, and what is not sound is found."""

import tomllib

import pytest

from grader.quiz.model import load_answers, load_quiz
from grader.quiz.proof import quiz_faults
from grader.quiz.sheet import WIDTH, columns, make_sheet, wrap

SELF_TEST = {f"day 4 C.{n}" for n in range(1, 21)}
SECTION_A = {f"day 4 A.{n}" for n in range(1, 7)}
SECOND_TEXT = {f"origins {n}" for n in range(1, 7)}


def test_the_quiz_of_the_course_holds(course):
    assert quiz_faults(course, "concepts") == []


def test_it_covers_both_self_tests_and_section_a(course):
    quiz = load_quiz(course, "concepts")
    covered = {c for q in quiz.questions for c in q.covers}
    assert len(quiz.questions) >= 40
    assert covered >= SELF_TEST | SECTION_A | SECOND_TEXT
    assert {q.kind for q in quiz.questions} == {"single", "multiple", "numeric"}


def test_questions_and_sheet_hold_no_answer(course, root):
    raw = tomllib.loads(
        (root / "quiz/questions_concepts.toml").read_text(encoding="utf-8")
    )
    allowed = {"id", "kind", "covers", "title", "title_zh", "ask", "ask_zh"}
    for question in raw["questions"]:
        assert set(question) <= allowed | {"options", "options_zh"}
    sheet = (root / "exercises/concepts.toml").read_text(encoding="utf-8")
    for answer in load_answers(course, "concepts").values():
        assert answer.why not in sheet
        assert answer.why_zh not in sheet
    blank = tomllib.loads(sheet)
    assert set(map(str, blank.values())) == {"", "[]"}


def test_the_sheet_is_up_to_date_and_narrow(course, root):
    exercise = course.exercises["concepts"]
    made = make_sheet(exercise, load_quiz(course, "concepts"))
    sheet = (root / "exercises/concepts.toml").read_text(encoding="utf-8")
    assert sheet == made, "run: make skeletons"
    assert max(map(columns, made.splitlines())) <= WIDTH


def test_chinese_wraps_by_columns_and_never_begins_with_a_closing_mark():
    lines = wrap("把答案写在等号后面，多选写成列表。" * 4, 20)
    assert len(lines) > 3
    assert max(map(columns, lines)) <= 20
    assert not any(line[0] in "，。" for line in lines)


QUESTIONS, ANSWERS = "questions_ideas.toml", "answers_ideas.toml"


@pytest.mark.parametrize(
    ("file", "old", "new", "fault"),
    [
        (QUESTIONS, 'id = "half"', 'id = "sky"', "sky is asked twice"),
        (QUESTIONS, "一的一半是多少？", "half?", "half lacks a text in Chinese"),
        (QUESTIONS, 'points = "2"', 'points = "3"', "are worth 9, not 6"),
        (QUESTIONS, '"红", "蓝", "绿"', '"红", "蓝"', "not as many options in Chinese"),
        (QUESTIONS, '"2", "4"', '"2", "2"', "primes has an option twice"),
        (QUESTIONS, 'kind = "single"', 'kind = "guess"', "Invalid enum value 'guess'"),
        (ANSWERS, '"b"', '"x"', "sky has an answer that is none of its options"),
        (ANSWERS, '"a", "c"', '"a", "b", "c"', "lets who ticks everything earn"),
        (ANSWERS, "tolerance = 0.01\n", "", "half has no tolerance"),
        (ANSWERS, "[answers.sky]", "[answers.sea]", "sea, which is no question"),
        (ANSWERS, '"b"', '"a"', "a sheet with always a gets 3.0 of 6"),
    ],
)
def test_what_is_not_sound_is_found(small, file, old, new, fault):
    path = small.folder("quiz") / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    faults = quiz_faults(small, "ideas")
    assert any(fault in f for f in faults), faults
