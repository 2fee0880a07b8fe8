"""How much of a tolerance an answer used is told to who asks, and to nobody else."""

import pytest
import torch

from grader.session import expect
from grader.session.failing import ExpectationError
from grader.session.nearness import watched

WANT = torch.tensor([1.0, 2.0, float("inf")], dtype=torch.float64)


def test_each_comparison_tells_the_largest_share_of_its_tolerance():
    with watched() as shares:
        expect.close(WANT + torch.tensor([0.0, 0.25, 0.0]), WANT, atol=0.5, rtol=0.0)
        expect.close(WANT - 0.25, WANT, atol=0.25, rtol=0.25)
        expect.rows_sum_to(torch.tensor([[0.5, 0.75]]), atol=1.0)
        expect.zero_where(torch.tensor([0.3, 9.0]), torch.tensor([True, False]), atol=1)
    assert shares == pytest.approx([0.5, 0.5, 0.25, 0.3])


def test_same_numbers_and_those_not_compared_use_nothing():
    with watched() as shares:
        expect.close(WANT, WANT)
        expect.close(torch.zeros(0), torch.zeros(0))
        expect.close(torch.ones(2), torch.ones(2, dtype=torch.float64), atol=0, rtol=0)
        chosen = torch.tensor([True, False])
        expect.rows_sum_to(torch.tensor([[1.0], [9.0]]), where=chosen)
    assert not any(shares)


def test_what_fails_and_what_comes_later_tells_nothing():
    with watched() as shares, pytest.raises(ExpectationError, match="result"):
        expect.close(WANT + 1, WANT)
    expect.close(WANT + 1e-10, WANT)
    assert shares == []
