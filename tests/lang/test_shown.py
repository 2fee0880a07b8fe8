"""Terminal and pages in Chinese: nothing English left, nothing out of line."""

import io
import re
import sys

import pytest
import report_samples as samples
from rich.cells import cell_len
from rich.console import Console

from grader import cli
from grader.lang import speaking
from grader.lang.extract import our_words
from grader.report.editions import build
from grader.report.html import render_report
from grader.report.terminal import print_result
from grader.results import ExerciseResult


def printed(result, course, width=80, kind="student", language="zh"):
    out = io.StringIO()
    with speaking(language, course):
        edition = build(result, course, kind)
        print_result(Console(file=out, width=width), edition, verbose=True)
    return out.getvalue()


def whole_course(course):
    """A result with all exercises of the course, each of another length."""
    result = samples.every_outcome()
    (part,) = [result.exercises["masked_softmax"]]
    result.exercises = {
        name: ExerciseResult(
            key="",
            score=part.score,
            max_score=part.max_score,
            status=status,
            checks=part.checks[: 1 + at % 5],
        )
        for at, (name, status) in enumerate(
            zip(course.exercises, ["passed", "partial", "failed"] * 20, strict=False)
        )
    }
    return result


@pytest.mark.parametrize("kind", ["student", "ta"])
@pytest.mark.parametrize("width", [80, 100])
def test_no_line_of_chinese_is_wider_than_the_terminal(course, width, kind):
    for result in (samples.every_outcome(), whole_course(course)):
        lines = printed(result, course, width, kind).splitlines()
        assert max(map(cell_len, lines)) <= width


@pytest.mark.parametrize("language", ["en", "zh"])
def test_columns_of_the_table_stand_in_line(course, language):
    text = printed(whole_course(course), course, language=language)
    names = "|".join(course.exercises)
    rows = [x for x in text.splitlines() if re.match(rf"  ({names}) .*/", x)]
    assert len(rows) == len(course.exercises)
    ends = {cell_len(row) for row in rows}
    starts = {cell_len(row[: re.match(r"  \w+ +", row).end()]) for row in rows}
    assert len(ends) == 1, rows
    assert len(starts) == 1, rows


def test_a_student_reads_no_english_of_ours(course):
    result = samples.every_outcome()
    with speaking("zh", samples.course()):
        page = render_report(result, samples.course(), "student")
    assert '<html lang="zh">' in page
    own = r"<style>.*?</style>|<pre>.*?</pre>|<[^>]*>"  # and what students printed
    shown = re.sub(own, " ", page, flags=re.S)
    left = [
        message
        for message, where in our_words().items()
        if isinstance(message, str)
        and message != "time"  # a word in the sample's own sentences
        and where.startswith(("report/templates/report", "report/templates/check"))
        and re.search(rf"\b{re.escape(message)}\b", shown)
    ]
    assert left == []
    assert "先改什么" in shown


def test_results_stay_english(course):
    result = samples.every_outcome()
    before = repr(result)
    printed(result, course)
    assert repr(result) == before


def command(monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", ["grader", *map(str, arguments)])
    return cli.main()


def test_lang_speaks_from_the_command_line(monkeypatch, capsys, root, tmp_path):
    sheet = (root / "exercises/concepts.toml").read_text(encoding="utf-8")
    (tmp_path / "concepts.toml").write_text(
        sheet.replace("add_one_probability = ", "add_one_probability = many #")
    )
    options = ["check", "concepts", "--file", tmp_path, "--course", root]
    assert command(monkeypatch, *options, "--lang", "zh") == 1
    said = capsys.readouterr().out
    assert "many 不是数字；请写成 0.25 这样。" in said
    assert "加一平滑" in said

    monkeypatch.setenv("LC_ALL", "en_US.UTF-8")
    assert command(monkeypatch, *options) == 1
    assert "many is not a number; write it like 0.25." in capsys.readouterr().out


def test_errors_are_said_in_the_language_too(monkeypatch, capsys, root):
    options = ["check", "concept", "--course", root]
    assert command(monkeypatch, *options, "--lang", "zh") == 2
    said = capsys.readouterr().err
    assert "没有名为 'concept' 的练习；是否想写：concepts？" in said
    assert command(monkeypatch, *options, "--lang", "fr") == 2
    assert "--lang fr: it is one of en, zh." in capsys.readouterr().err
