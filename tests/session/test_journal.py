"""Records agree exactly where two behaviours do, and stay small."""

import pytest
import torch

from grader.session.journal import TOO_MUCH, Call, Raised, agree, fates, record

BASE = torch.linspace(-3, 3, 6).reshape(2, 3)


def of(*values, name="f"):
    return record([Call(["student", name], (), {}, value) for value in values])


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        ([1, 2], (1, 2)),
        (1.0, 1.0 + 1e-7),
        (float("nan"), float("nan")),
        (float("inf"), float("inf")),
        (1e300, 1e300),  # in silence: warnings are errors here
        (BASE, BASE + 1e-7),
        (BASE.to(torch.complex64), BASE.to(torch.complex64)),
        ({"a": BASE, "b": None}, {"a": BASE.clone(), "b": None}),
        (Raised("ValueError"), Raised("ValueError")),
        (BASE.numpy(), BASE.clone().numpy()),
    ],
    ids=lambda v: type(v).__name__,
)
def test_the_same_answer_within_tolerance_agrees(mine, theirs):
    assert agree(of(mine), of(theirs))


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        (1, True),
        (1, 1.0),
        (1, "1"),
        (None, 0),
        (1.0, 1.001),
        (1.0, float("nan")),
        (float("inf"), -float("inf")),
        (BASE, BASE + 1e-3),
        (BASE, BASE.double()),
        (BASE, BASE.reshape(3, 2)),
        (BASE, BASE.clone().requires_grad_()),
        (torch.tensor([1, 2]), torch.tensor([2, 1])),
        (torch.tensor([100_000]), torch.tensor([100_001])),
        ({"a": 1}, {"b": 1}),
        ([1, [2]], [[1], 2]),
        (Raised("ValueError"), Raised("IndexError")),
        (Raised("ValueError"), ["ValueError"]),
        (TOO_MUCH, TOO_MUCH),
    ],
    ids=lambda v: type(v).__name__,
)
def test_another_answer_does_not_agree(mine, theirs):
    assert not agree(of(mine), of(theirs))


def test_other_calls_are_another_behaviour():
    assert not agree(of(1), of(1, name="g"))
    assert not agree(of(1), of(1, 1))


def test_large_tensors_are_summed_up_and_still_told_apart():
    large = torch.randn(300, 301, generator=torch.Generator().manual_seed(1))
    changed, turned = large.clone(), large.flip(0)
    changed[150, 100:200] += 0.1

    assert agree(of(large), of(large + 1e-8))
    assert not agree(of(large), of(changed))
    assert not agree(of(large), of(turned))
    assert of(large).numbers.size < large.numel() / 100


def test_a_record_keeps_no_graph_and_no_input():
    x = torch.ones(3, requires_grad=True)
    kept = record([Call(["f"], (x,), {}, x * 2)])
    assert not isinstance(kept.numbers, torch.Tensor)
    assert kept.numbers.tolist() == [2.0, 2.0, 2.0]


def test_what_became_of_inputs_is_where_they_changed():
    before = torch.tensor([1.0, float("nan"), 3.0])
    low, lower = before.clone(), before.clone()
    low[2], lower[2] = -1e9, float("-inf")

    assert fates([(before, before.clone())]) == []
    assert agree(record(fates([(before, low)])), record(fates([(before, lower)])))
    other = before.clone()
    other[1] = 0.0
    assert not agree(record(fates([(before, low)])), record(fates([(before, other)])))
