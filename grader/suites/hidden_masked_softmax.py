"""Hidden suite for masked_softmax: many shapes, dtypes, hard scores, gradients."""

import pytest
import torch

from grader.session import expect

pytestmark = pytest.mark.exercise("masked_softmax")

SIZES = "Does your answer depend on sizes, on the number of axes or on earlier calls?"
DTYPE = "Which numbers can this dtype hold, and what dtype does your result have?"
HARD = "Try a row near -200, one near 800, and a masked 800 beside valid 1 and 2."
GRADIENT = (
    "Compare scores.grad with and without your mask. Does every step keep a graph?"
)
FULL_ROW = "What do the exponentials of a row add up to when nothing is left in it?"


def _zeros_or_uniform(rows, what):
    """Each of ``rows`` (N, T) is all zeros or all 1 / T, in its dtype's tolerance."""
    expect.finite(rows, what=what, hint=FULL_ROW)
    rows = rows.detach()
    slack = expect.TOLERANCE[rows.dtype][0]
    wide = rows.double()
    ok = ((wide.abs() <= slack).all(-1)) | (
        ((wide - 1 / rows.shape[-1]).abs() <= slack).all(-1)
    )
    wanted = "all zeros, or all alike with sum 1"
    expect.true(
        bool(ok.all()), what=what, expected=wanted, got="neither", hint=FULL_ROW
    )


def _backward(weights, loss):
    """Backward through ``loss``, once it is sure that ``weights`` has a graph."""
    expect.true(weights.requires_grad, what="weights.requires_grad", hint=GRADIENT)
    loss.backward()


def _in_dtype(student, case, reference, dtype, widths, **tolerances):
    """Scores of ``dtype``: right rows, a sane full row, the same dtype back.

    ``widths`` are those of no other check: what an answer keeps of an earlier one,
    by shape, must not decide by luck.
    """
    B, Tq, Tk = case.sizes(B=(2, 3), Tq=(4, 6), Tk=widths)
    scores = case.randn(B, Tq, Tk, dtype=dtype, scale=2.0)
    scores[:, ::2] -= 100  # far above them is a fill of -10, and 0 is their exp
    mask = case.mask(B, Tq, Tk, full_rows=2)
    # One valid score, of which a term added to the sum takes the largest share, and
    # a higher one beside it that is masked.
    mask[0, 0], mask[0, 0, 1] = True, False
    scores[0, 0, 0] = scores[0, 0, 1] + 2.0
    # Below -17 a float16 row that had its lowest number added would overflow.
    scores = torch.where(mask.all(-1, keepdim=True), scores.abs() * -8 - 20, scores)

    weights = student.masked_softmax(scores, mask)
    later = student.masked_softmax(scores[0], mask[0])
    # Added up one by one in bfloat16, that many ones come to 256.
    long = case.rand(2, 600 + Tk, lo=-0.1, hi=0.0).to(dtype)
    even = student.masked_softmax(long, torch.arange(600 + Tk) >= 600)

    expect.tensor(weights, (B, Tq, Tk), dtype, what="weights", hint=DTYPE)
    some = ~mask.all(-1)
    wanted = case.once("weights", lambda: reference.masked_softmax(scores, mask))
    valid = "rows with valid scores"
    expect.close(weights[some], wanted[some], what=valid, hint=DTYPE, **tolerances)
    _zeros_or_uniform(weights[~some], "rows masked whole")
    expect.close(later, weights[0], what="the first sample again", hint=SIZES)
    # exp(x - logsumexp(x)): 6.4 is rounded by 4 eps, and so is the difference.
    slack = max(2 * expect.TOLERANCE[dtype][0], 16 * torch.finfo(dtype).eps)
    long_row = "weights of a long row"
    expect.rows_sum_to(even, 1.0, what=long_row, hint=DTYPE, atol=slack)


@pytest.mark.points(12)
@pytest.mark.numeric
def check_any_shape_any_time(student, case, reference):
    """Vectors, matrices and 4-d scores, small and large, call after call."""
    (T,) = case.sizes(T=(5, 8))
    B, Tq, Tk = case.sizes(B=(5, 7), Tq=(9, 12), Tk=(50, 70))
    N, H, Q, K = case.sizes(N=(2, 3), H=(4, 5), Q=(6, 7), K=(8, 10))
    shapes = [(T,), (B, Tk), (B, Tq, Tk), (N, H, Q, K), (T, 1), (1, B, T), (B, Tk)]
    for call, shape in enumerate(shapes):
        scores, mask = case.randn(*shape, scale=3.0), case.mask(*shape)
        if len(shape) == 4:
            scores, mask = scores / 3.0 - 4.0, mask[:, :1, :1]  # a fill of -10 shows
        elif len(shape) == 3:
            mask = mask[0]  # of one sample, and for all
        elif call > 4:
            scores = torch.full(shape, -4.0)  # alike, and still not all of them count

        weights = student.masked_softmax(scores, mask)

        wanted = case.once(
            f"weights {call}",
            lambda scores=scores, mask=mask: reference.masked_softmax(scores, mask),
        )
        expect.close(weights, wanted, what="weights", hint=SIZES)


@pytest.mark.points(5)
@pytest.mark.numeric
def check_float64(student, case, reference):
    """float64 scores give float64 weights, to the precision of float64."""
    # What went through float32 is off by 1e-8, any order of sums by 1e-15.
    tight = {"atol": 1e-12, "rtol": 1e-11}
    _in_dtype(student, case, reference, torch.float64, (10, 11), **tight)


@pytest.mark.points(5)
@pytest.mark.numeric
def check_float16(student, case, reference):
    """float16 scores give float16 weights."""
    _in_dtype(student, case, reference, torch.float16, (12, 13))


@pytest.mark.points(5)
@pytest.mark.numeric
def check_bfloat16(student, case, reference):
    """bfloat16 scores give bfloat16 weights."""
    _in_dtype(student, case, reference, torch.bfloat16, (14, 15))


@pytest.mark.points(8)
@pytest.mark.numeric
def check_hard_scores(student, case, reference):
    """High, low and far apart scores, valid or masked, change nothing in the rule."""
    B, Tk = case.sizes(B=(6, 7), Tk=(16, 19))
    scores, mask = case.randn(B, Tk), case.mask(B, Tk)
    mask[:, :2], mask[:, 2:4] = False, True
    level = torch.tensor([0.0, 800.0, -200.0, -8500.0, -40.0, 0.0]).repeat(2)[:B, None]
    # What stands at masked positions: often far above the valid ones.
    rubbish = case.randn(B, Tk, scale=100.0) + 800.0 * (level < 700)
    # Beside a number like these no digit of the valid scores is left.
    rubbish[::2, 2], rubbish[1::2, 3] = 1e8, -1e8
    hard = torch.where(mask, rubbish, scores + level)

    plain = student.masked_softmax(scores, mask)
    weights = student.masked_softmax(hard, mask)

    wanted = case.once("plain", lambda: reference.masked_softmax(scores, mask))
    expect.close(plain, wanted, what="weights of ordinary scores", hint=HARD)
    wanted = case.once("hard", lambda: reference.masked_softmax(hard, mask))
    # Neighbours of 8500 in float32 lie 1e-3 apart: x - logsumexp(x) is no better.
    expect.close(weights, wanted, what="weights of hard scores", hint=HARD, atol=2e-3)


@pytest.mark.points(9)
@pytest.mark.numeric
def check_gradients(student, case, reference):
    """Gradients reach valid scores as they should, and masked ones not at all."""
    A, B, C = case.sizes(A=(3, 4), B=(5, 6), C=(20, 22))
    columns = case.mask(A, C, B).transpose(1, 2)
    for dim, mask in ((-1, case.mask(A, 1, C)), (1, columns), (-2, None)):
        scores = case.randn(A, B, C, dtype=torch.float64, requires_grad=True)
        factor = case.randn(A, B, C, dtype=torch.float64)

        weights = student.masked_softmax(scores, mask, dim)
        expect.tensor(weights, (A, B, C), torch.float64, what="weights")
        _backward(weights, (weights.pow(2) * factor).sum())

        ours = scores.detach().clone().requires_grad_()
        right = reference.masked_softmax(ours, mask, dim)
        (right.pow(2) * factor).sum().backward()
        # What went through float32 is off by 1e-8 and more.
        tight = {"atol": 1e-9, "rtol": 1e-9, "hint": GRADIENT}
        expect.close(weights, right, what="weights", **tight)
        expect.close(scores.grad, ours.grad, what="scores.grad", **tight)

    # dim counts the axes of the scores, however many there are.
    scores, mask = case.randn(2, C, A, B, dtype=torch.float64), case.mask(2, B, A, C)
    mask = mask.transpose(1, 3)
    weights = student.masked_softmax(scores, mask, 1)
    right = reference.masked_softmax(scores, mask, 1)
    expect.close(weights, right, what="weights", **tight)


@pytest.mark.points(7)
@pytest.mark.numeric
def check_full_rows_anywhere(student, case, reference):
    """Rows masked whole stay finite along any dim and leave the others right."""
    B, Tq, Tk = case.sizes(B=(3, 4), Tq=(5, 6), Tk=(17, 19))
    padded = case.mask(B, 1, Tk, full_rows=1)
    columns = case.mask(Tk, Tq, B, full_rows=4).transpose(0, 2).contiguous()
    columns[0, 0], columns[:, 0, 0] = True, True  # whole along two axes that cross
    for dim, mask in ((-1, padded), (0, columns), (1, case.mask(Tk))):
        # Low enough for a fill of -10 to show.
        scores = case.rand(B, Tq, Tk, lo=-6.0, hi=-3.0, requires_grad=True)
        ours = scores.detach().clone().requires_grad_()
        factor = case.randn(B, Tq, Tk)  # a row that is uniform has a gradient, too

        weights = student.masked_softmax(scores, mask, dim=dim)
        expect.tensor(weights, (B, Tq, Tk), torch.float32, what="weights")
        expect.finite(weights, what="weights", hint=FULL_ROW)
        _backward(weights, (weights * factor).sum())

        right = reference.masked_softmax(ours, mask, dim=dim)
        (right * factor).sum().backward()
        some = ~mask.expand(B, Tq, Tk).movedim(dim, -1).all(-1)
        rows, wanted = weights.movedim(dim, -1), right.movedim(dim, -1)
        expect.close(rows[some], wanted[some], what="the other rows", hint=FULL_ROW)
        _zeros_or_uniform(rows[~some], "rows masked whole")
        expect.finite(scores.grad, what="scores.grad", hint=FULL_ROW)
        expect.zero_where(scores.grad, mask, what="scores.grad", hint=GRADIENT)
        got, wanted = (t.grad.movedim(dim, -1)[some] for t in (scores, ours))
        expect.close(got, wanted, what="scores.grad in the other rows", hint=GRADIENT)

    # A sample, or a batch, of padding only has no other rows.
    nothing = student.masked_softmax(case.randn(B, Tk), torch.ones(Tk).bool())
    expect.tensor(nothing, (B, Tk), torch.float32, what="weights")
    _zeros_or_uniform(nothing, "rows masked whole")
