"""Prove a quiz: its form, its answers, and that guessing does not pay.

The reference answers get everything, a blank sheet nothing, each wrong answer
loses its question's points, and no blanket strategy (always the same letter,
everything ticked, one number everywhere) gets more than ``GUESS_MOST``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal

from grader.course import Course, Exercise
from grader.errors import CourseError
from grader.quiz.marking import mark
from grader.quiz.model import Answer, Question, Quiz, load_answers, load_quiz
from grader.results import ExerciseResult
from grader.submission import Source, Submission

GUESS_MOST = Decimal("0.35")  # of all points, for a sheet filled without reading
OPTIONS = {"single": (3, 6), "multiple": (4, 6)}
_NUMBERS = ("0", "1", "2", "0.5", "-1", "10")
Wrong = tuple[str, str]


def quiz_faults(course: Course, name: str) -> list[str]:
    """Every sentence that can be said against quiz ``name``."""
    exercise = course.exercises[name]
    try:
        quiz, answers = load_quiz(course, name), load_answers(course, name)
    except CourseError as e:
        return [str(e)]
    faults = [*_form_faults(quiz, answers, exercise)]
    if faults:
        return faults  # what is not sound in form cannot be marked
    return [
        *_reference_faults(course, exercise, quiz, answers),
        *_wrong_faults(course, exercise, quiz, answers),
        *_guess_faults(course, exercise, quiz),
    ]


def _form_faults(
    quiz: Quiz, answers: Mapping[str, Answer], exercise: Exercise
) -> Iterator[str]:
    ids = [q.id for q in quiz.questions]
    for twice in sorted({i for i in ids if ids.count(i) > 1}):
        yield f"{twice} is asked twice"
    for other in sorted(set(answers) - set(ids)):
        yield f"there is an answer to {other}, which is no question"
    total = quiz.points * len(ids)
    if total != exercise.points:
        yield f"the questions are worth {total}, not {exercise.points}"
    for question in quiz.questions:
        if question.id not in answers:
            yield f"{question.id} has no answer"
            continue
        words = _question_faults(question, answers[question.id])
        yield from (f"{question.id} {fault}" for fault in words)


def _question_faults(question: Question, answer: Answer) -> Iterator[str]:
    if not question.id.isidentifier():
        yield "is no plain name"
    for text in (question.title, question.ask, answer.why):
        if not text.strip():
            yield "lacks a text in English"
    chinese = (question.title_zh, question.ask_zh, answer.why_zh)
    if not all(map(_is_chinese, chinese[1:])) or not chinese[0].strip():
        yield "lacks a text in Chinese"
    if question.kind == "numeric":
        if question.options or not isinstance(answer.answer, float):
            yield "asks for a number, so it has a number and no options"
        elif answer.tolerance <= 0:
            yield "has no tolerance"
        return
    yield from _option_faults(question, answer)


def _option_faults(question: Question, answer: Answer) -> Iterator[str]:
    least, most = OPTIONS[question.kind]
    if not least <= len(question.options) <= most:
        yield f"has {len(question.options)} options, not {least} to {most}"
    if len(question.options) != len(question.options_zh):
        yield "has not as many options in Chinese"
    for options in (question.options, question.options_zh):
        if len(set(options)) < len(options) or not all(o.strip() for o in options):
            yield "has an option twice, or an empty one"
    right = answer.letters
    if isinstance(answer.answer, float) or not right <= set(question.letters):
        yield "has an answer that is none of its options"
        return
    wrong = len(question.options) - len(right)
    if question.kind == "single" and len(right) != 1:
        yield f"has {len(right)} right options, not one"
    if question.kind == "multiple" and (not right or wrong < 2):
        yield "lets who ticks everything earn points"


def _is_chinese(text: str) -> bool:
    return any("\u4e00" <= c <= "\u9fff" for c in text)


def sheet(answers: Mapping[str, str], name: str) -> Submission:
    """A hand-in with these answers, by the text behind each equals sign."""
    text = "".join(f"{key} = {value}\n" for key, value in answers.items())
    source = Source(name, f"{name}.toml", text.encode(), "sheet", text)
    return Submission(id="proof", files={name: source})


def written(answer: Answer) -> str:
    """The text that gives the right answer."""
    if isinstance(answer.answer, float):
        return repr(answer.answer)
    return "[" + ", ".join(f'"{letter}"' for letter in sorted(answer.letters)) + "]"


def _grade(course: Course, exercise: Exercise, texts: Mapping[str, str]) -> Decimal:
    return _result(course, exercise, texts).score


def _result(
    course: Course, exercise: Exercise, texts: Mapping[str, str]
) -> ExerciseResult:
    return mark(course, exercise, sheet(texts, exercise.name))


def _reference_faults(
    course: Course, exercise: Exercise, quiz: Quiz, answers: Mapping[str, Answer]
) -> Iterator[str]:
    right = {q.id: written(answers[q.id]) for q in quiz.questions}
    score = _grade(course, exercise, right)
    if score != exercise.points:
        yield f"the reference answers get {score} of {exercise.points}"
    blank = _result(course, exercise, dict.fromkeys(right, '""'))
    if blank.score != 0 or blank.status != "not_written":
        yield f"a blank sheet gets {blank.score} and is {blank.status}"


def _wrong_faults(
    course: Course, exercise: Exercise, quiz: Quiz, answers: Mapping[str, Answer]
) -> Iterator[str]:
    """Answer number n wrongly in all its ways at once, question by question."""
    for question in quiz.questions:
        for text, most in _wrong_ways(question, answers[question.id]):
            score = _grade(course, exercise, {question.id: text})
            if score > most * quiz.points:
                yield f"{question.id} gives {score} points for {text}"


def _wrong_ways(question: Question, answer: Answer) -> Iterator[tuple[str, Decimal]]:
    """Wrong answers, and the share that each may earn at most."""
    none, half = Decimal(0), Decimal("0.5")
    if isinstance(answer.answer, float):
        for factor in (-3.0, 3.0):
            yield repr(answer.answer + factor * answer.tolerance), none
        yield '"a"', none
        return
    for letter in question.letters:
        slips = frozenset(letter) ^ answer.letters
        if slips:
            share = half if len(slips) == 1 and question.kind == "multiple" else none
            yield f'"{letter}"', share
    everything = ", ".join(f'"{letter}"' for letter in question.letters)
    yield f"[{everything}]", none


def _guess_faults(course: Course, exercise: Exercise, quiz: Quiz) -> Iterator[str]:
    blankets: dict[str, Callable[[Question], str]] = {
        "everything ticked": lambda q: "[" + ", ".join(q.letters) + "]",
        **{f"always {x}": lambda _, x=x: x for x in ("a", "b", "c", "d")},  # type: ignore[misc]
        **{f"always {x}": lambda _, x=x: x for x in _NUMBERS},  # type: ignore[misc]
    }
    for what, blanket in blankets.items():
        texts = {q.id: blanket(q) for q in quiz.questions}
        score = _grade(course, exercise, texts)
        if score > GUESS_MOST * exercise.points:
            yield f"a sheet with {what} gets {score} of {exercise.points}"
