"""Answers that call .view on their inputs are as right as those that reshape them."""

import pytest

from grader import spread
from grader.results import Outcome
from grader.submission import Source, Submission

# exercise: (line of the solution, the same with a call that joins axes of an input)
JOINED = {
    "attention_scores": (
        "torch.tanh(keys @ w1.T",
        "torch.tanh((keys.{call}(-1, keys.shape[2]) @ w1.T)"
        ".reshape(*keys.shape[:2], -1)",
    ),
    "bahdanau_attention": (
        "self.W_key(keys)",
        "self.W_key(keys.{call}(-1, keys.shape[2])).reshape(*keys.shape[:2], -1)",
    ),
    "masked_softmax": (
        "scores.masked_fill(mask, lowest)",
        "scores.{call}(-1).reshape(scores.shape).masked_fill(mask, lowest)",
    ),
}


@pytest.fixture(scope="module")
def graded(course):
    """By exercise: checks of the answer with reshape, and of that with view."""

    def both(grader, name):
        line, joined = JOINED[name]
        solution = grader.references.path(name).read_text(encoding="utf-8")
        assert solution.count(line) == 1
        found = []
        for call in ("reshape", "view"):
            text = solution.replace(line, joined.format(call=call))
            source = Source(name, f"{name}.py", text.encode(), "py", text=text)
            submission = Submission("one", {name: source})
            result = grader.run_exercise(submission, name).result
            found.append({check.id: check for check in result.checks})
        return found

    names = list(JOINED)
    return dict(zip(names, spread.in_session(course, names, both), strict=True))


@pytest.mark.parametrize("name", JOINED)
def test_view_and_reshape_of_an_input_pass_every_check(graded, name):
    for checks in graded[name]:
        assert [c.id for c in checks.values() if c.outcome is not Outcome.PASSED] == []
