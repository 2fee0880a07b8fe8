"""The smallest failing case on a page and on a terminal."""

import io
import re

import report_samples as samples
from rich.console import Console

from grader.report import heat
from grader.report.editions import build
from grader.report.html import render_report
from grader.report.order import troubles
from grader.report.terminal import print_result
from grader.results import Example, Figure, HeatMap, Outcome, Table

COURSE = samples.course()
MASK = [[False, True, False], [False, False, True]]
WEIGHTS = Table(
    "weights", [[0.5, 0.2, 0.3], [0.25, 0.25, 0.5]], [2, 3], "float32", MASK
)


def failing(public=True, **fields):
    shown = Example(
        call="masked_softmax(scores, mask)",
        inputs=[Table("scores", [[1.0, 2.0, 0.5]], [1, 3])],
        tables=[WEIGHTS],
        what="weights",
        expected="each sum over dim -1 is 1",
        got="a sum of 0.83",
        figures=[
            Figure(
                "influence",
                "position",
                "row",
                heat_map=HeatMap([[0.0, 1.0]], [[False, True]]),
            )
        ],
    )
    check = samples.check(
        "Rows sum to 1", Outcome.FAILED, public=public, example=shown, **fields
    )
    return samples.result({"masked_softmax": samples.exercise([check])})


def page(result, kind="student"):
    return render_report(result, COURSE, kind)


def terminal(result):
    out = io.StringIO()
    console = Console(file=out, width=80, no_color=True)
    print_result(console, build(result, COURSE, "student"))
    return out.getvalue()


def test_example_shows_call_inputs_answer_and_rule():
    text = page(failing())
    for part in ("masked_softmax(scores, mask)", "a sum of 0.83", "0.500", "scores"):
        assert part in text
    assert "weights: each sum over dim -1 is 1" in text
    assert "The smallest case that still fails" in text


def test_example_of_a_hidden_check_says_that_it_is_another_case():
    text = page(failing(public=False))
    assert "A small case of our own that fails in the same way" in text
    assert "The smallest case that still fails" not in text


def test_verdict_only_policy_shows_no_example_of_hidden_checks():
    course = samples.course()
    course.policy.hidden_feedback = "verdict"
    text = render_report(failing(public=False), course, "student")
    assert "a sum of 0.83" not in text
    assert "masked_softmax(scores" not in text


def test_weights_become_a_heat_map_with_the_mask_drawn_in_and_words():
    text = page(failing())
    drawing = re.search(r'<svg class="cells".*?</svg>', text, re.S)[0]
    assert drawing.count('class="hatch"') == 2
    assert 'role="img"' in drawing
    assert "row 0: 0.50, (0.20), 0.30" in drawing
    assert "style=" not in drawing


def test_padding_that_moved_the_result_is_hatched():
    drawn = re.findall(r'<svg class="cells".*?</svg>', page(failing()), re.S)
    assert "row 0: 0.00, (1.00)" in drawn[1]


def test_numbers_that_are_no_weights_get_no_heat_map():
    view = build(failing(), COURSE, "student").exercises[0].checks[0].example
    scores = view.inputs[0]
    assert heat.of_table(scores) is None
    assert heat.of_table(view.tables[0]) is not None


def test_text_of_an_example_is_never_markup():
    result = failing()
    check = result.exercises["masked_softmax"].checks[0]
    check.example.got = check.example.tables[0].name = "<script>alert(1)</script>"
    assert "<script>" not in page(result)


def test_terminal_shows_the_example_in_place_of_the_graded_case():
    large = Table("graded case", [[7.0]], [1, 1])
    text = terminal(failing(tables=[large]))
    assert "The smallest case that still fails: masked_softmax(scores, mask)" in text
    assert "(0.200)" in text
    assert "graded case" not in text


def test_several_possible_mistakes_are_listed():
    result = failing(one_of=["mask_inverted", "mask_ignored"])
    for text in (page(result), terminal(result)):
        assert "mask inverted; mask ignored" in text


def view(*checks):
    result = samples.result({"masked_softmax": samples.exercise(list(checks))})
    return build(result, COURSE, "student").exercises[0]


def failed(title, **fields):
    return samples.check(title, Outcome.FAILED, **fields)


def test_wrong_shape_comes_before_wrong_numbers_and_is_told_once():
    checks = [
        failed("numbers", stage="number", message="weights", got="1"),
        failed("a", stage="shape", message="weights for B=2", got="shape (1,)"),
        failed("b", stage="shape", message="weights for B=3", got="shape (2,)"),
        failed("none", stage="return", message="Nothing came back: x"),
        failed("none too", stage="return", message="Nothing came back: y"),
    ]
    found = troubles(view(*checks))
    assert [t.check.title for t in found] == ["none", "a", "numbers"]
    assert [len(t.consequences) for t in found] == [1, 1, 0]


def test_undefined_name_is_one_trouble_wherever_it_is_met():
    checks = [
        failed(t, stage="undefined", hint="Is mask the name?", line=4) for t in "abc"
    ]
    (trouble,) = troubles(view(*checks))
    assert len(trouble.consequences) == 2


def test_hidden_check_says_how_far_the_answer_came():
    check = failed("hidden", public=False, stage="shape")
    result = samples.result({"masked_softmax": samples.exercise([check])})
    assert "the shape is not the one asked for" in page(result)
