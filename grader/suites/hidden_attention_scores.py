"""Hidden suite for attention_scores: drawn sizes, all of them different."""

import pytest
import torch

from grader.session import expect

pytestmark = pytest.mark.exercise("attention_scores")

SIDES = "w1 acts on the keys and w2 on the query."
SIDE = "Try a W that is not symmetric, with Dq and Dk different."
SCALE = "Does your scale change with T or with B? With which size should it change?"
APART = "Which keys may a sample's scores depend on?"
READ_OUT = "What is the context a weighted sum of, and with which weights?"
GRADIENT = "Does the graph reach every argument?"


def _draw(case, **kwargs):
    """Arguments of the four scores, for pairwise different sizes."""
    B, T, Dq, Dk, Da = case.sizes(B=(2, 3), T=(5, 7), Dq=(4, 6), Dk=(8, 9), Da=(10, 11))
    query, keys = case.randn(B, Dq, **kwargs), case.randn(B, T, Dk, **kwargs)
    same = case.randn(B, T, Dq, **kwargs)
    w1, w2 = case.randn(Da, Dk, **kwargs), case.randn(Da, Dq, **kwargs)
    v, w = case.randn(Da, **kwargs), case.randn(Dq, Dk, **kwargs)
    return {
        "additive": (query, keys, w1, w2, v),
        "dot": (query, same),
        "general": (query, keys, w),
        "scaled_dot": (query, same),
    }


def _named(kind, weights):
    names = {"additive": ("w1", "w2", "v"), "general": ("w",)}.get(kind, ())
    return dict(zip(names, weights, strict=True))


@pytest.mark.points(8)
@pytest.mark.numeric
def check_additive(student, case, reference):
    """The additive score is right where all sizes differ."""
    args = _draw(case)["additive"]

    scores = student.additive_score(*args)

    expect.close(scores, reference.additive_score(*args), what="scores", hint=SIDES)


@pytest.mark.points(8)
@pytest.mark.numeric
def check_general(student, case, reference):
    """The general score is right where all sizes differ."""
    args = _draw(case)["general"]

    scores = student.general_score(*args)

    expect.close(scores, reference.general_score(*args), what="scores", hint=SIDE)


@pytest.mark.points(8)
@pytest.mark.numeric
def check_dot_and_scaled(student, case, reference):
    """Dot and scaled scores are right for one sample, one key, and many."""
    for B, T, D in ((1, 6, 5), (4, 1, 7), (2, 3, 64)):
        query, keys = case.randn(B, D), case.randn(B, T, D)
        dot, scaled = (
            student.dot_score(query, keys),
            student.scaled_dot_score(query, keys),
        )
        expect.close(dot, reference.dot_score(query, keys), what="dot scores")
        expected = reference.scaled_dot_score(query, keys)
        expect.close(scaled, expected, what="scaled scores", hint=SCALE)


@pytest.mark.points(14)
@pytest.mark.numeric
def check_context_and_weights(student, case, reference):
    """Each kind reads out the keys with weights that sum to 1."""
    for kind, (query, keys, *weights) in _draw(case).items():
        named = _named(kind, weights)
        got = expect.pair(student.attend(kind, query, keys, **named), what="result")
        expected = reference.attend(kind, query, keys, **named)
        expect.close(got[1], expected[1], what=f"{kind}: weights")
        expect.rows_sum_to(got[1], 1.0, what=f"{kind}: weights")
        expect.close(got[0], expected[0], what=f"{kind}: context", hint=READ_OUT)


@pytest.mark.points(8)
@pytest.mark.numeric
def check_order_of_keys(student, case, reference):
    """Permuted keys give permuted scores, and samples do not see each other."""
    query, keys, *weights = _draw(case)["additive"]
    order = case.permutation(keys.shape[1])

    permuted = student.additive_score(query, keys[:, order].contiguous(), *weights)
    alone = student.dot_score(query[1:], keys[1:, :, : query.shape[1]].contiguous())

    expected = reference.additive_score(query, keys, *weights)
    expect.close(permuted, expected[:, order], what="scores", hint=APART)
    expected = reference.dot_score(query, keys[:, :, : query.shape[1]])
    expect.close(alone, expected[1:], what="scores of one sample", hint=APART)


@pytest.mark.points(10)
@pytest.mark.numeric
def check_gradients(student, case, reference):
    """Gradients reach query, keys and the weights of each score."""
    drawn = _draw(case, dtype=torch.float64, requires_grad=True)
    for kind, args in drawn.items():
        up = case.randn(*args[1].shape[:2], dtype=torch.float64)
        scores = expect.tensor(getattr(student, f"{kind}_score")(*args), up.shape)
        grads = torch.autograd.grad((scores * up).sum(), args)
        ours = (getattr(reference, f"{kind}_score")(*args) * up).sum()
        for got, want in zip(grads, torch.autograd.grad(ours, args), strict=True):
            expect.close(got, want, what=f"{kind}: a gradient", hint=GRADIENT)
