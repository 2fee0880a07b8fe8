"""The blank answer sheet: every question as comments, in both languages."""

from __future__ import annotations

import re
import unicodedata

from grader.course import Exercise
from grader.quiz.model import Question, Quiz

WIDTH = 79
_BLANK = {"single": '""', "multiple": "[]", "numeric": '""'}
_HOW = {
    "single": ("one letter", "单选"),
    "multiple": ("all that hold", "多选"),
    "numeric": ("a number", "填数"),
}
_HEAD = """\
{title}
{title_zh}

Write your answers behind the equals signs. Letters stand in quotes, as in
"b"; where several options may hold, in a list, as in ["a", "c"]; numbers
stand as they are, as in 0.25. Where all that hold are asked for, one slip
leaves half of the points, two leave none. Try it: make check EX={name}
says what is answered, not what is right.

把答案写在等号后面。单选写 "b"，多选写 ["a", "c"]，填数写 0.25。
多选题错选或漏选一处得一半分，两处不得分。make check EX={name}
只检查是否作答、写法是否正确，不判对错。
"""
_WORD = re.compile(r"[\u2e80-\uffff]|[^\s\u2e80-\uffff]+|\s+")
_NEVER_FIRST = "，。、；：？！）」』”’,.;:?!)"


def make_sheet(exercise: Exercise, quiz: Quiz) -> str:
    """The text of ``<name>.toml`` as students get it: no answer, no trace of one."""
    head = _HEAD.format(
        title=f"Quiz: {exercise.title}",
        title_zh=f"测验：{exercise.title_zh}" if exercise.title_zh else "测验",
        name=exercise.name,
    )
    lines = [f"# {line}".rstrip() for line in head.splitlines()]
    for number, question in enumerate(quiz.questions, 1):
        lines += ["", *_question(number, question)]
    return "\n".join(lines) + "\n"


def _question(number: int, question: Question) -> list[str]:
    how, how_zh = _HOW[question.kind]
    titles = f"{number}. {question.title} ({how})"
    lines = _comment(f"{titles} / {question.title_zh}（{how_zh}）")
    lines += _comment(question.ask) + _comment(question.ask_zh)
    options = zip(question.letters, question.options, question.options_zh, strict=True)
    for letter, option, option_zh in options:
        lines += _comment(option, f"   {letter}  ", "      ")
        if option_zh != option:
            lines += _comment(option_zh, "      ", "      ")
    return [*lines, f"{question.id} = {_BLANK[question.kind]}"]


def _comment(text: str, first: str = "", rest: str = "") -> list[str]:
    lines = wrap(text, WIDTH - 2 - len(rest))
    starts = [first] + [rest] * (len(lines) - 1)
    return [f"# {s}{line}" for s, line in zip(starts, lines, strict=True)]


def wrap(text: str, width: int) -> list[str]:
    """Lines of at most ``width`` columns, where a wide character takes two.

    Chinese breaks between any two characters, but no line begins with a mark
    that closes something.
    """
    words = _WORD.findall(text)
    lines, line = [], ""
    for at, word in enumerate(words):
        follows = words[at + 1] if at + 1 < len(words) else ""
        needed = columns(word)
        if follows and follows in _NEVER_FIRST:
            needed += columns(follows)
        if line and columns(line) + needed > width and word not in _NEVER_FIRST:
            lines.append(line.rstrip())
            line = ""
        if line or not word.isspace():
            line += word
    return [*lines, line.rstrip()]


def columns(text: str) -> int:
    """How many columns of a terminal ``text`` takes."""
    return sum(1 + (unicodedata.east_asian_width(c) in "WF") for c in text)
