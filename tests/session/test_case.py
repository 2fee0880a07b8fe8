"""Draws of a case: the same for a seed, kept over submissions, never shared."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from grader.session import draws
from grader.session.case import Case
from grader.session.case_arrays import ArrayCase


def everything(case: Case) -> list[object]:
    """One draw of every kind, and some twice."""
    return [
        case.integer(0, 1000),
        *case.sizes(B=(2, 9), T=(2, 9), D=(2, 9)),
        case.randn(3, 4, requires_grad=True),
        case.rand(2, 5, lo=-1.0, dtype=torch.float64),
        case.randint(0, 50, 4, 2),
        case.bool(3, 3),
        case.mask(4, 6, full_rows=1),
        case.lengths(5, 1, 9),
        case.permutation(6),
        case.randn(3, 4),
    ]


def same(first: list[object], second: list[object]) -> bool:
    pairs = zip(first, second, strict=True)
    return all(
        torch.equal(a, b) if isinstance(a, torch.Tensor) else a == b for a, b in pairs
    )


def test_kept_draws_are_those_of_a_case_without_a_memory():
    cache: dict[str, object] = {}
    alone = everything(Case(7))
    assert same(everything(Case(7, cache)), alone)
    assert same(everything(Case(7, cache)), alone)
    assert not same(everything(Case(8, cache)), alone)


def test_what_a_check_does_to_its_inputs_reaches_no_other_submission():
    cache: dict[str, object] = {}
    for _ in range(3):
        case = Case(7, cache)
        x, mask = case.randn(3, 4), case.mask(2, 5)
        assert torch.equal(x, Case(7).randn(3, 4))
        x.zero_()
        mask.fill_(True)


@pytest.mark.parametrize("kept", [0, 1, 2, 3])
def test_case_that_goes_another_way_draws_as_if_nothing_were_kept(kept):
    cache: dict[str, object] = {}
    first = Case(7, cache)
    [first.randn(3) for _ in range(3)]

    def other(case: Case) -> list[object]:
        found = [case.randn(3) for _ in range(kept)]
        return [*found, case.lengths(4, 1, 9), case.randn(2, 2), case.integer(0, 99)]

    assert same(other(Case(7, cache)), other(Case(7)))


def test_generator_stands_after_the_draws_so_far():
    cache: dict[str, object] = {}
    Case(7, cache).randn(5)
    case, alone = Case(7, cache), Case(7)
    case.randn(5)
    alone.randn(5)
    mine = torch.rand(3, generator=case.generator)
    assert torch.equal(mine, torch.rand(3, generator=alone.generator))
    assert torch.equal(case.randn(4), alone.randn(4))


def test_large_draws_are_made_anew_and_stay_the_same(monkeypatch):
    monkeypatch.setattr(draws, "MOST_BYTES", 100)
    cache: dict[str, object] = {}

    def some(case: Case) -> list[object]:
        return [case.randn(4), case.randn(40), case.randn(5), case.integer(0, 99)]

    alone = some(Case(7))
    for _ in range(3):
        assert same(some(Case(7, cache)), alone)
    assert [draw.asked[0] for draw in cache["7/draws"].draws] == [(4,)]


@pytest.mark.parametrize("kind", [Case, ArrayCase])
@given(
    seed=st.integers(0, 2**32),
    rows=st.integers(1, 4),
    size=st.integers(1, 6),
    full=st.integers(0, 2),
)
def test_rows_of_a_mask_have_both_kinds_but_for_those_masked_whole(
    kind, seed, rows, size, full
):
    full = min(full, rows)
    mask = np.asarray(kind(seed).mask(2, rows, size, full_rows=full))
    assert (mask.shape, mask.dtype) == ((2, rows, size), np.bool_)
    masked = mask.sum(-1)
    partly = (masked > 0) & (masked < size) if size > 1 else masked == 0
    assert (masked == size).sum() == full
    assert partly.sum() == 2 * rows - full


@pytest.mark.parametrize("kind", [Case, ArrayCase])
@given(
    seed=st.integers(0, 2**32),
    n=st.integers(1, 5),
    lo=st.integers(1, 3),
    more=st.integers(0, 4),
)
def test_lengths_are_never_all_alike_nor_in_decreasing_order(kind, seed, n, lo, more):
    found = np.asarray(kind(seed).lengths(n, lo, lo + more))
    assert (found.shape, found.dtype) == ((n,), np.int64)
    assert lo <= found.min() <= found.max() <= lo + more
    if n > 1 and more:
        assert (found[:-1] < found[1:]).any()
