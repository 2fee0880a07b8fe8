"""Quizzes: questions as data, marked here without any worker.

``questions_<name>.toml`` is what students get, ``answers_<name>.toml`` what
they never get. A student answers in a sheet, ``<name>.toml``, which is read by
our own small reader: nothing in it is executed.
"""

from grader.quiz.marking import form_of, mark
from grader.quiz.model import Answer, Question, Quiz, load_answers, load_quiz

__all__ = [
    "Answer",
    "Question",
    "Quiz",
    "form_of",
    "load_answers",
    "load_quiz",
    "mark",
]
