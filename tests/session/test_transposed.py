"""Answers that call .view on an input that may be a transposed one are told apart."""

import pytest

from grader import spread
from grader.results import Outcome
from grader.submission import Source, Submission

# exercise: (check that sends a transposed input, line of the solution, the same line
# with a call that joins axes of that input)
JOINED = {
    "scaled_dot_attention": (
        "rows_over_the_keys",
        "scores = q @ k.transpose(-2, -1)",
        "flat = k.{call}(-1, *k.shape[-2:]).mT\n"
        "    scores = (q.reshape(-1, *q.shape[-2:]) @ flat)"
        ".reshape(*q.shape[:-1], -1)",
    ),
    "attention_scores": (
        "additive",
        "torch.tanh(keys @ w1.T",
        "torch.tanh((keys.{call}(-1, keys.shape[2]) @ w1.T)"
        ".reshape(*keys.shape[:2], -1)",
    ),
    "bahdanau_attention": (
        "query_moves_the_weights",
        "self.W_key(keys)",
        "self.W_key(keys.{call}(-1, keys.shape[2])).reshape(*keys.shape[:2], -1)",
    ),
    "masked_softmax": (
        "dim_is_honoured",
        "scores.masked_fill(mask, lowest)",
        "scores.{call}(-1).reshape(scores.shape).masked_fill(mask, lowest)",
    ),
}


@pytest.fixture(scope="module")
def graded(course):
    """By exercise: checks of the answer with reshape, and of that with view."""

    def both(grader, name):
        _, line, joined = JOINED[name]
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
def test_reshape_of_a_transposed_input_passes_and_view_fails_in_torchs_words(
    graded, name
):
    right, wrong = graded[name]
    check = wrong[JOINED[name][0]]
    assert [c.id for c in right.values() if c.outcome is not Outcome.PASSED] == []
    assert check.outcome is Outcome.ERROR
    assert "view size is not compatible" in check.got
    passed = sum(c.outcome is Outcome.PASSED for c in wrong.values())
    assert passed > len(wrong) / 2  # of contiguous inputs its numbers are right
