"""What students read beside reports: workflows, notebooks, drawings in words."""

import re

import pytest
import report_samples as samples

from grader.lang import speaking
from grader.report import figures, github
from grader.report.editions import build, table
from grader.results import Curve, Figure, HeatMap, Table
from grader.skeleton_notebooks import make_notebook

ENGLISH = re.compile(r"[A-Za-z]{2,} [A-Za-z]{2,}")
LOSS = Figure(
    title="loss",
    x="step",
    y="loss",
    curves=[
        Curve("ours", [0.0, 10.0], [1.5, 0.25], False),
        Curve("theirs", [0.0, 10.0], [1.5, 0.25], True),
    ],
    level=0.5,
)
WEIGHTS = Figure(
    title="weights", x="", y="", heat_map=HeatMap([[0.25, 0.75], []], None)
)


@pytest.mark.parametrize("figure", [LOSS, WEIGHTS], ids=["curves", "heat map"])
def test_drawing_is_described_in_the_language_that_is_spoken(figure):
    english = figures.draw(figure)
    with speaking("zh"):
        chinese = figures.draw(figure)
        said = figures.words(figure)
    assert said in chinese
    assert said not in english
    assert not ENGLISH.search(said), said


def test_job_summary_and_annotations_are_in_chinese(course):
    result = samples.every_outcome()
    with speaking("zh", course):
        edition = build(result, course, "student")
        summary = github.summary(edition)
        lines = github.error_lines(edition, "exercises")
    assert "公开检查：**" in summary
    assert "| 练习 | 公开检查 | 得分 |" in summary
    assert re.search(r"\d/\d \|", summary)
    assert any("应为：" in line and "提示：" in line for line in lines)


def test_notebook_keeps_the_marks_that_intake_looks_for(course):
    skeleton = '"""Double.\n\nTwice."""\n\n\ndef double(x):\n    return 2 * x\n'
    with speaking("zh"):
        made = make_notebook(skeleton, "double")
    assert made.count("# not graded: ") == 3
    assert "上传作业包" in made
    assert make_notebook(skeleton, "double").count("# not graded: ") == 3


def test_names_of_tables_are_in_chinese_and_keep_their_slice(course):
    name = "bias_ih_l0 + bias_hh_l0 at the forget gate"
    shown = {
        f"{name}: got": "遗忘门处的 bias_ih_l0 + bias_hh_l0：实际",
        "h_n: expected [1]": "h_n：应为 [1]",
        "x [0]": "x [0]",
        "dim": "dim",
    }
    with speaking("zh", course):
        made = {n: table(Table(n, [[1.0]], [1, 1], "float32")).name for n in shown}
    assert made == shown
