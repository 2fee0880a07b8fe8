"""Suite for padded_embedding: a small table whose rows are known."""

import pytest
import torch

from grader.session import expect

pytestmark = pytest.mark.exercise("padded_embedding")

ROW = "Which row of weight does an id name, and what is the shape for ids of any shape?"
ZERO = "Look at the padding row right after construction."
GRADIENT = "Which rows were looked up, how often, and does padding learn?"
INDEX = "What is weight[-1], and what does an id of V do?"


def _table(student, worker, V, D, padding_idx):
    """An embedding whose row r holds r * 10 + 1, ..., r * 10 + D; padding is 0."""
    table = student.PaddedEmbedding(V, D, padding_idx)
    rows = torch.arange(V).unsqueeze(1) * 10.0 + torch.arange(1, D + 1)
    rows[padding_idx] = 0.0
    worker.kit.fill(table, rows)
    return table, rows


@pytest.mark.points(9)
@pytest.mark.numeric
def check_rows_are_looked_up(student, worker):
    """Each id gives its row, for ids of any shape."""
    table, rows = _table(student, worker, 5, 3, 0)

    for ids in (torch.tensor([4, 1, 1]), torch.tensor([[2, 3], [0, 4]])):
        got = table(ids)
        expect.close(got, rows[ids], what=f"rows for ids {tuple(ids.shape)}", hint=ROW)


@pytest.mark.points(8)
@pytest.mark.property
def check_padding_row_starts_at_zero(student, worker):
    """The padding row starts at zero, all others do not."""
    facts = worker.kit.start(student.PaddedEmbedding(6, 4, 2), 2)

    expect.equal(facts["shape"], [6, 4], what="shape of weight", hint=ROW)
    expect.true(facts["padding is zero"], what="padding row", expected="0", hint=ZERO)
    expect.true(facts["words are not"], what="other rows", expected="not 0", hint=ZERO)


@pytest.mark.points(10)
@pytest.mark.numeric
def check_gradient_of_rows(student, worker):
    """A row adds up the gradient of all its places; padding gets none."""
    table, _ = _table(student, worker, 5, 2, 1)
    ids = torch.tensor([[3, 1, 3], [4, 1, 0]])

    got = table(ids)
    expect.tensor(got, (2, 3, 2), what="rows", hint=ROW)
    expect.true(got.requires_grad, what="rows.requires_grad", hint=GRADIENT)
    factor = torch.tensor([1.0, 2.0])
    (got * factor).sum().backward()

    grad = table.grads().get("weight")
    expected = torch.tensor([1.0, 0, 0, 2.0, 1.0]).unsqueeze(1) * factor
    expect.close(grad, expected, what="weight.grad", hint=GRADIENT)


@pytest.mark.points(5)
@pytest.mark.errors
def check_ids_out_of_range(student, worker):
    """An id of V raises IndexError, and V - 1 is fine."""
    table, rows = _table(student, worker, 5, 3, 0)

    expect.close(table(torch.tensor([4])), rows[[4]], what="row of the last id")
    with expect.raises(IndexError, what="an id of V", hint=INDEX):
        table(torch.tensor([1, 5]))


@pytest.mark.points(8)
@pytest.mark.numeric
def check_padding_gives_zeros(student, worker):
    """Padding is looked up as zeros, wherever it stands and whichever id it has."""
    for padding_idx in (0, 3):
        table, rows = _table(student, worker, 4, 2, padding_idx)
        ids = torch.tensor([[padding_idx, 1, padding_idx], [2, 2, padding_idx]])

        got = table(ids)

        expect.close(got, rows[ids], what=f"rows, padding_idx={padding_idx}", hint=ZERO)
        expect.zero_where(got, (ids == padding_idx).unsqueeze(-1), what="padding")
