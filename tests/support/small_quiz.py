"""A course that is one quiz of three questions."""

from pathlib import Path

from grader.course import Course, load_course

COURSE = """\
schema = 1
name = "small"
title = "Small"
[[chapters]]
id = "c"
title = "C"
[[exercises]]
name = "ideas"
chapter = "c"
title = "Ideas"
section = "1"
points = "6"
kind = "quiz"
"""
QUESTIONS = """\
schema = 1
points = "2"
[[questions]]
id = "sky"
kind = "single"
title = "Sky"
title_zh = "天空"
ask = "Which colour has the sky?"
ask_zh = "天空是什么颜色？"
options = ["red", "blue", "green"]
options_zh = ["红", "蓝", "绿"]
[[questions]]
id = "primes"
kind = "multiple"
title = "Primes"
title_zh = "素数"
ask = "Which are prime?"
ask_zh = "哪些是素数？"
options = ["2", "4", "5", "9"]
options_zh = ["二", "四", "五", "九"]
[[questions]]
id = "half"
kind = "numeric"
title = "Half"
title_zh = "一半"
ask = "What is half of one?"
ask_zh = "一的一半是多少？"
"""
ANSWERS = """\
schema = 1
[answers.sky]
answer = "b"
why = "WHYSKY"
why_zh = "天空为何"
[answers.primes]
answer = ["a", "c"]
why = "WHYPRIMES"
why_zh = "素数为何"
[answers.half]
answer = 0.5
tolerance = 0.01
why = "WHYHALF"
why_zh = "一半为何"
"""


def small_course(folder: Path) -> Course:
    """The course, written into ``folder``."""
    (folder / "quiz").mkdir(parents=True)
    (folder / "course.toml").write_text(COURSE, encoding="utf-8")
    (folder / "quiz/questions_ideas.toml").write_text(QUESTIONS, encoding="utf-8")
    (folder / "quiz/answers_ideas.toml").write_text(ANSWERS, encoding="utf-8")
    return load_course(folder)
