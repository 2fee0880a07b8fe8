"""Suite for masked_softmax: properties, never the student's source."""

import math

import pytest
import torch

from grader.session import expect

pytestmark = pytest.mark.exercise("masked_softmax")

POLARITY = "True means masked out. Which of your positions get weight, and which none?"
SUMS = "Print the sum of one row. Who holds the weight that the masked positions lost?"
NO_MASK = "mask=None is a mask of nothing. What does your code do with None?"
AXIS = "Print weights.sum(dim) for the dim that was asked for."
SHAPES = "Print mask.shape beside scores.shape. Which axes have to stretch?"
FULL_ROW = "Nothing is left in such a row. What do its exponentials add up to?"
GRADIENT = "Does every step between scores and weights keep the graph?"
CALLER = "The caller still holds scores and mask. What do they look like afterwards?"

# exp() of the scores below gives these small integers.
COUNTS = ([[1, 2, 3, 4], [4, 1, 5, 2]], [[2, 7, 1, 1], [3, 3, 2, 9]])
MASKED = ([[0, 0, 0, 1], [1, 0, 0, 0]], [[0, 0, 1, 0], [0, 1, 0, 1]])
WEIGHTS = (
    [[1 / 6, 2 / 6, 3 / 6, 0], [0, 1 / 8, 5 / 8, 2 / 8]],
    [[0.2, 0.7, 0, 0.1], [0.6, 0, 0.4, 0]],
)


def _along(mask, dim):
    """``mask``, whose rows lie along the last axis, with rows along ``dim``."""
    return mask.movedim(-1, dim).contiguous()


@pytest.mark.points(9)
@pytest.mark.numeric
def check_small_tables(student):
    """Two tables worked out on paper come out as recorded."""
    for counts, masked, weights in zip(COUNTS, MASKED, WEIGHTS, strict=True):
        scores, mask = torch.tensor(counts).float().log(), torch.tensor(masked).bool()

        got = student.masked_softmax(scores, mask)

        expect.close(got, weights, what="weights", hint=POLARITY)


@pytest.mark.points(9)
@pytest.mark.numeric
def check_rows_sum_to_one(student, case):
    """Rows along the last axis sum to 1, with nothing at masked positions."""
    B, Tq, Tk = case.sizes(B=(2, 4), Tq=(3, 6), Tk=(4, 9))
    # So low that what is put at masked positions must be lower still.
    scores, mask = case.randn(B, Tq, Tk) - 4.0, case.mask(B, Tq, Tk)
    mask[0, 0] = False

    weights = student.masked_softmax(scores, mask)

    expect.tensor(weights, (B, Tq, Tk), torch.float32, what="weights")
    expect.zero_where(weights, mask, what="weights", hint=POLARITY)
    expect.rows_sum_to(weights, 1.0, what="weights", hint=SUMS)


@pytest.mark.points(5)
@pytest.mark.numeric
def check_without_mask(student):
    """With mask=None every position takes part, along any dim."""
    scores = torch.tensor([[1.0, 2.0, 3.0, 4.0], [1.0, 6.0, 1.0, 12.0]]).log()

    rows = student.masked_softmax(scores, None)
    expect.inputs_unchanged(student, what="scores and mask", hint=CALLER)
    columns = student.masked_softmax(scores, None, dim=0)
    nothing = torch.zeros(2, 4).bool()
    unmasked = student.masked_softmax(scores, nothing)
    other_way = student.masked_softmax(scores, nothing, dim=0)

    shares = [[0.1, 0.2, 0.3, 0.4], [0.05, 0.3, 0.05, 0.6]]
    expect.close(rows, shares, what="weights for dim=-1", hint=NO_MASK)
    expect.close(unmasked, shares, what="weights for a mask of nothing", hint=NO_MASK)
    shares = [[0.5, 0.25, 0.75, 0.25], [0.5, 0.75, 0.25, 0.75]]
    expect.close(columns, shares, what="weights for dim=0", hint=AXIS)
    expect.close(other_way, shares, what="weights for dim=0", hint=AXIS)


@pytest.mark.points(8)
@pytest.mark.numeric
def check_dim_is_honoured(student, case):
    """The axis that dim names is the one that is normalised."""
    sizes = case.sizes(A=(3, 5), B=(4, 6), C=(5, 8))
    for dim in (0, 1, -2, 2):
        scores = case.randn(*sizes)
        rest = [n for axis, n in enumerate(sizes) if axis != dim % 3]
        mask = _along(case.mask(*rest, sizes[dim]), dim)

        weights = student.masked_softmax(scores, mask, dim=dim)

        name = f"weights for dim={dim}"
        expect.tensor(weights, sizes, torch.float32, what=name)
        expect.zero_where(weights, mask, what=name, hint=POLARITY)
        expect.rows_sum_to(weights, 1.0, dim=dim, what=name, hint=AXIS)
        # Neighbours i, j: w_i / w_j = exp(s_i - s_j), written without division.
        i, j = weights.double(), weights.double().roll(1, dim)
        swapped = i * scores.exp().roll(1, dim) - j * scores.exp()
        both = ~mask & ~mask.roll(1, dim)
        gap = float((swapped.abs() * both).max())
        fair = "weights in the ratio of exp(score)"
        expect.true(gap < 1e-3, what=name, expected=fair, got="other ratios", hint=AXIS)


@pytest.mark.points(7)
@pytest.mark.numeric
def check_mask_broadcasts(student, case):
    """A mask of shape (B, 1, Tk) or (Tk,) serves every row of (B, Tq, Tk)."""
    B, Tq, Tk = case.sizes(B=(2, 3), Tq=(4, 6), Tk=(5, 9))
    scores = case.randn(B, Tq, Tk) - 4.0  # low, as above
    for mask in (case.mask(B, 1, Tk), case.mask(Tk)):
        weights = student.masked_softmax(scores, mask)

        name = f"weights for a mask of shape {tuple(mask.shape)}"
        expect.tensor(weights, (B, Tq, Tk), torch.float32, what=name, hint=SHAPES)
        expect.zero_where(weights, mask, what=name, hint=SHAPES)
        expect.rows_sum_to(weights, 1.0, what=name, hint=SUMS)


@pytest.mark.points(8)
@pytest.mark.property
def check_full_row_stays_finite(student, case):
    """A row that is masked whole is 0 or uniform, and no gradient is NaN."""
    B, Tk = case.sizes(B=(3, 5), Tk=(6, 9))
    scores, mask = case.randn(B, Tk, requires_grad=True), case.mask(B, Tk, full_rows=1)
    factor = case.randn(B, Tk)

    weights = student.masked_softmax(scores, mask)
    expect.tensor(weights, (B, Tk), torch.float32, what="weights")
    expect.finite(weights, what="weights", hint=FULL_ROW)
    expect.true(weights.requires_grad, what="weights.requires_grad", hint=GRADIENT)
    (weights * factor).sum().backward()

    row = weights.detach()[mask.all(-1)]
    flat = any(math.isclose(float(row.max()), n, abs_tol=1e-5) for n in (0, 1 / Tk))
    flat = flat and float(row.max() - row.min()) < 1e-5
    wanted = "all zeros, or all alike with sum 1"
    expect.true(
        flat, what="the masked row", expected=wanted, got="neither", hint=FULL_ROW
    )
    expect.finite(scores.grad, what="scores.grad", hint=FULL_ROW)


@pytest.mark.points(3)
@pytest.mark.property
def check_inputs_are_left_alone(student, case):
    """Scores and mask are the same after the call as before."""
    B, Tk = case.sizes(B=(2, 4), Tk=(5, 8))

    weights = student.masked_softmax(case.randn(B, Tk), case.mask(B, Tk, full_rows=1))

    expect.tensor(weights, (B, Tk), what="weights")
    expect.inputs_unchanged(student, what="scores and mask", hint=CALLER)
