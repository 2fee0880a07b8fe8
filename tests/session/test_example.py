"""Examples of failing checks: small, of the same failure, and never the hidden one."""

import functools
import gc
from pathlib import Path

import numpy as np
import pytest
import torch

from grader.course import load_course
from grader.results import Outcome
from grader.session import expect
from grader.session.case import Case
from grader.session.examples.example import build
from grader.session.examples.secrecy import is_fresh
from grader.session.examples.shrink import Failing, Plan, Simplify
from grader.session.failing import ExpectationError
from grader.session.journal import Call
from grader.session.runner import Runner
from grader.session.start import Session
from grader.submission import Source, Submission, as_submission

ROOT = Path(__file__).resolve().parents[2]
WRONG = {
    "mask_after_softmax": ("masked_softmax", "mask_after_softmax"),
    "no_max": ("masked_softmax", "no_max_subtraction"),
    "not_packed": ("packed_lstm", "not_packed"),
    "lost_row": ("packed_lstm", "small_batches_only"),
    "no_detach": ("truncated_bptt", "no_detach"),
    "right": ("masked_softmax", ""),
}


@functools.cache
def one_session():
    """Each wrong answer graded twice, in two orders: results and hidden inputs.

    Then what is left of the second time, bytes kept of mistakes after each, and
    the result of code that answers with what it was asked before.
    """
    course = load_course(ROOT)
    names = sorted({exercise for exercise, _ in WRONG.values()})
    found, left, sizes, told = {}, [], [], []

    def work(grader):
        grader.use("examples", {})
        graded = [grade_all(grader, list(WRONG))]
        sizes.append(bytes_of_mistakes(grader))
        gc.collect()  # what the first of them imported on the way
        gc.disable()
        try:
            before = {id(o) for o in kept_of_a_hand_in()}
            graded.append(grade_all(grader, list(WRONG)[::-1]))
            left.extend(type(o) for o in kept_of_a_hand_in() if id(o) not in before)
        finally:
            gc.enable()
        sizes.append(bytes_of_mistakes(grader))
        result = grader.grade(remembering(), ["masked_softmax"])
        told.append(result.exercises["masked_softmax"])
        for key, (name, _) in WRONG.items():
            journal = grader.run_exercise(wrong(grader, key), name).calls
            found[key] = [g[key].exercises[name] for g in graded], journal

    with Session(course, names, "none") as session:
        session.run(work)
    return found, left, sizes, told


REMEMBERS = """
import torch
seen = [1.0]
def masked_softmax(scores, mask, dim=-1):
    if scores.numel() > 60:
        seen[0] = 777.0
    return torch.full_like(scores, seen[0])
"""


def remembering():
    source = Source("masked_softmax", "a.py", REMEMBERS.encode(), "py", REMEMBERS)
    return Submission("remembering", {"masked_softmax": source})


def graded_all():
    return one_session()[0]


def wrong(grader, key):
    name, mistake = WRONG[key]
    path = ROOT / "grader" / "mistakes" / name / f"{mistake}.py"
    return as_submission(path if mistake else grader.references.path(name), name, key)


def grade_all(grader, keys):
    return {key: grader.grade(wrong(grader, key), [WRONG[key][0]]) for key in keys}


def bytes_of_mistakes(grader):
    known = grader.namer._known.values()
    return sum(r.numbers.nbytes for k in known for r in k.records.values())


def kept_of_a_hand_in():
    """Objects that hold answers and graphs, or frames of a check."""
    return [o for o in gc.get_objects() if type(o) in (Call, ExpectationError, Runner)]


@pytest.fixture
def graded():
    return lambda key: graded_all()[key][0][0]


def examples(exercise):
    return {c.id: c.example for c in exercise.checks if c.example is not None}


def test_public_example_is_smaller_and_fails_in_the_same_way(graded):
    exercise = graded("not_packed")
    ((name, shown),) = examples(exercise).items()
    check = next(c for c in exercise.checks if c.id == name)
    x = next(t for t in shown.inputs if t.name.startswith("x"))
    assert check.public
    assert shown.call == "encode_packed(lstm, x, lengths)"
    assert shown.what == check.message
    assert max(x.shape) <= 4
    assert all(2 * v == int(2 * v) for row in x.rows for v in row)
    got, expected = shown.tables
    row = got.highlight
    assert row is not None
    assert row == expected.highlight
    assert got.rows[row] != expected.rows[row]


def test_one_example_for_all_checks_that_fail_for_one_mistake(graded):
    failing = [
        c
        for c in graded("mask_after_softmax").checks
        if c.outcome is not Outcome.PASSED
    ]
    assert len(failing) > 5
    assert len(examples(graded("mask_after_softmax"))) == 1


def test_error_of_student_code_is_shown_on_its_smallest_input(graded):
    ((_, shown),) = examples(graded("no_detach")).items()
    assert shown.got.startswith("RuntimeError: Trying to backward")
    assert shown.call == (
        "train_truncated_bptt(model, inputs, targets, criterion, optimizer, 3)"
    )


def test_hidden_example_has_no_number_that_the_task_asks_for(graded):
    exercise = graded("no_max")
    ((name, shown),) = examples(exercise).items()
    assert not next(c for c in exercise.checks if c.id == name).public
    assert shown.expected == ""
    assert not any("expected" in t.name for t in shown.tables)
    assert "off in" not in shown.got


@pytest.mark.parametrize("key", ["no_max", "lost_row"])
def test_hidden_input_is_never_shown(graded, key):
    """Neither in the inputs of an example nor in what came out."""
    hidden = [c for c in graded(key).checks if not c.public and c.example]
    assert hidden
    for check in hidden:
        calls = graded_all()[key][1][check.id]
        secret = [set(_numbers([c.args, c.kwargs])) for c in calls]
        for table in check.example.inputs:
            shown = {v for row in table.rows for v in row if v not in (0, 1)}
            assert not any(len(shown) > 2 and shown <= s for s in secret)


def _numbers(value):
    if isinstance(value, torch.Tensor):
        return value.double().flatten().tolist()
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        return [n for item in value for n in _numbers(item)]
    return []


def test_nothing_of_a_hand_in_outlives_its_grade():
    """Rings through torch's graphs are never collected, others only rarely."""
    assert one_session()[1] == []


def test_code_that_has_seen_hidden_inputs_answers_in_no_example():
    (result,) = one_session()[3]
    assert any("777" in c.got for c in result.checks if not c.public)
    shown = examples(result)
    assert shown
    assert not any("777" in str(example) for example in shown.values())


def test_answers_of_mistakes_are_kept_once_and_small():
    first, second = one_session()[2]
    assert first == second
    assert 0 < first < 2 << 20


def test_examples_are_the_same_each_time_whoever_came_first():
    for first, second in (results for results, _ in graded_all().values()):
        assert examples(first) == examples(second)


def test_right_answer_has_none_and_verdicts_stay_as_they_were(graded):
    assert examples(graded("right")) == {}
    assert graded("right").status == "passed"
    outcomes = [[c.outcome for c in r.checks] for r in graded_all()["not_packed"][0]]
    assert outcomes[0] == outcomes[1]


def test_padding_that_moved_the_state_is_drawn(graded):
    ((_, shown),) = examples(graded("not_packed")).items()
    (figure,) = shown.figures
    padding = figure.heat_map.masked
    moved = figure.heat_map.rows
    assert any(
        p and m > 0
        for ps, ms in zip(padding, moved, strict=True)
        for p, m in zip(ps, ms, strict=True)
    )


@pytest.mark.parametrize("shape", [(3,), (2, 3), (2, 3, 4)])
def test_expected_numbers_of_a_hidden_check_are_left_out_for_any_shape(shape):
    answer = torch.zeros(shape)
    with pytest.raises(ExpectationError, match="weights") as caught:
        expect.close(answer, torch.full(shape, 0.375), what="weights")
    calls = [Call(["student", "f"], (torch.ones(shape),), {}, answer)]
    failing = Failing(Plan(), caught.value, calls)

    mine = Source("f", "f.py", b"", "py", "def f(ones): ...")

    hidden, public = (build(failing, None, mine, public) for public in (False, True))

    assert [t.name.split(" [")[0] for t in hidden.tables] == ["weights: got"]
    assert "0.375" not in str(hidden)
    assert "0.375" in str(public)
    assert public.call == "f(ones)"


def call(*args, **kwargs):
    return Call(["student", "f"], args, kwargs, None)


@pytest.mark.parametrize(
    ("mine", "hidden", "fresh"),
    [
        (torch.arange(3.0), torch.arange(3.0), False),
        (torch.arange(3.0), torch.arange(3.0) + 1, True),
        (torch.arange(3.0), torch.arange(3), True),
        (torch.zeros(4), torch.zeros(4), True),
        ("the cow", "the cow", False),
        ([1, 2, 3], [1, 2, 3], False),
        ([1, 2, 3], [1, 2, 4], True),
        ([torch.arange(3.0)], [torch.arange(3.0)], False),
        (np.arange(3.0), np.arange(3.0), False),
        (np.arange(3.0), np.arange(3.0) + 1, True),
        (np.arange(3.0), np.arange(3), True),
        (np.zeros(4), np.zeros(4), True),
        (np.array([1.0, np.nan, 2.0]), np.array([1.0, np.nan, 2.0]), False),
        ({"a": [np.arange(3)]}, [np.arange(3)], False),
        (np.arange(3.0).view(np.matrix), np.arange(3.0).view(np.matrix), False),
    ],
)
def test_an_input_of_the_hidden_run_is_recognised(mine, hidden, fresh):
    assert is_fresh([call(mine)], [call(hidden)]) is fresh
    assert is_fresh([call(x=mine)], [call(hidden)]) is fresh


def test_plan_bounds_sizes_halves_them_and_rounds_numbers():
    def drawn(plan):
        simplify = Simplify(plan)
        case = Case(7, None, simplify)
        sizes = case.sizes(B=(4, 6), T=(7, 9), D=(10, 12))
        return sizes, case.randn(*sizes), simplify.sizes

    sizes, values, kept = drawn(Plan(2, apart=True, step=0.5, halved=frozenset({2})))
    assert sizes == (2, 3, 2) == tuple(kept)
    assert values.shape == (2, 3, 2)
    assert bool((values * 2 == (values * 2).round()).all())
    assert drawn(Plan())[0] == Case(7).sizes(B=(4, 6), T=(7, 9), D=(10, 12))
