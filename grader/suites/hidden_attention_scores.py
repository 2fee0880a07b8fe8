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
LARGE = "What is exp(200) in float32, and how does a softmax get round it?"
CALLER = "What do the tensors hold that the caller still has?"
NAMES = "Is every word that resembles one of the four names a kind?"
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


def _of_shape(result, shape):
    """That of the two results that has this shape: their order is judged once."""
    found = [
        r for r in expect.pair(result, what="result") if getattr(r, "shape", 0) == shape
    ]
    wanted = f"one of shape {tuple(shape)}"
    expect.true(len(found) == 1, what="result", expected=wanted, hint=READ_OUT)
    return found[0]


@pytest.mark.points(7)
@pytest.mark.numeric
def check_additive(student, case, reference):
    """The additive score is right where all sizes differ, batch after batch."""
    query, keys, *weights = _draw(case)["additive"]

    # The last keys are so large that tanh is 1 or -1 (exp would be inf), but for a
    # sum near 0, which is off by what its large terms are rounded to.
    batches = (keys, keys[:, :1].clone(), keys.flip(0) + 1.0, keys * 60.0)
    for batch, atol in zip(batches, (None, None, None, 1e-2), strict=True):
        scores = student.additive_score(query, batch, *weights)
        expected = reference.additive_score(query, batch, *weights)
        expect.close(scores, expected, what="scores", hint=SIDES, atol=atol)


@pytest.mark.points(7)
@pytest.mark.numeric
def check_general(student, case, reference):
    """The general score is right where all sizes differ, and where W is square."""
    query, keys, w = _draw(case)["general"]
    size = query.shape[1]
    square, one = (query, keys[..., :size], w[:, :size]), (query, keys[:, :1], w)

    for args in ((query, keys, w), square, one):
        args = [part.contiguous() for part in args]
        scores = student.general_score(*args)
        expect.close(scores, reference.general_score(*args), what="scores", hint=SIDE)


@pytest.mark.points(6)
@pytest.mark.numeric
def check_dot_and_scaled(student, case, reference):
    """Dot and scaled scores are right for one sample, one key, and many."""
    for B, T, D in ((1, 6, 5), (4, 1, 7), (2, 3, 64), (3, 3, 3)):
        query, keys = case.randn(B, D), case.randn(B, T, D)
        dot, scaled = (
            student.dot_score(query, keys),
            student.scaled_dot_score(query, keys),
        )
        expect.close(dot, reference.dot_score(query, keys), what="dot scores")
        expected = reference.scaled_dot_score(query, keys)
        expect.close(scaled, expected, what="scaled scores", hint=SCALE)


@pytest.mark.points(11)
@pytest.mark.numeric
def check_context_and_weights(student, case, reference):
    """Each kind reads out the keys with weights that sum to 1."""
    tight = {"atol": 1e-12, "rtol": 1e-11}  # in float32 it would be off by 1e-8
    drawn = _draw(case, dtype=torch.float64)
    # A root that is a float32 tensor is as good as any.
    drawn["scaled_dot"] = [part.float() for part in drawn["scaled_dot"]]
    drawn = [*drawn.items()]
    # Once more for other weights of the same shapes.
    again = [(k, (q, ks, *(-w for w in ws))) for k, (q, ks, *ws) in drawn if ws]
    for call, (kind, (query, keys, *weights)) in enumerate(drawn + again):
        named = _named(kind, weights)
        if call >= len(drawn):  # they have names, and so no order
            named = {name: named[name] for name in reversed(named)}
        got = expect.pair(student.attend(kind, query, keys, **named), what="result")
        expected = reference.attend(kind, query, keys, **named)
        near = tight if keys.dtype == torch.float64 else {}
        expect.close(got[1], expected[1], what=f"{kind}: weights", **near)
        expect.rows_sum_to(got[1], 1.0, what=f"{kind}: weights")
        what = f"{kind}: context"
        expect.close(got[0], expected[0], what=what, hint=READ_OUT, **near)

    for B, D in ((1, 3), (3, 1)):
        query, keys = case.randn(B, D), case.randn(B, 1, D)
        got = expect.pair(student.attend("dot", query, keys), what="result")
        expect.close(got[0], keys[:, 0], what="context of one key", hint=READ_OUT)
        expect.close(got[1], torch.ones(B, 1), what="weights of one key")


@pytest.mark.points(4)
@pytest.mark.numeric
def check_large_scores(student, case, reference):
    """Scores in the hundreds give weights that sum to 1."""
    B, T, D = case.sizes(B=(2, 3), T=(5, 7), D=(4, 4))
    query, keys = case.randn(B, D, scale=20.0), case.randn(B, T, D, scale=20.0)

    weights = _of_shape(student.attend("dot", query, keys), (B, T))

    expected = reference.attend("dot", query, keys)[1]
    expect.close(weights, expected, what="weights", hint=LARGE)


@pytest.mark.points(3)
@pytest.mark.property
def check_arguments_are_left_alone(student, case):
    """Query, keys and weights are the same after each call as before."""
    for kind, args in _draw(case).items():
        scores = getattr(student, f"{kind}_score")(*args)

        expect.tensor(scores, args[1].shape[:2], what=f"{kind}: scores")
        expect.inputs_unchanged(student, what=f"arguments of {kind}", hint=CALLER)


@pytest.mark.points(2)
@pytest.mark.errors
def check_names_that_resemble(student, case, reference):
    """A word that only resembles a kind raises ValueError."""
    query, keys = _draw(case)["dot"]

    weights = _of_shape(student.attend("dot", query, keys), keys.shape[:2])
    expect.close(weights, reference.attend("dot", query, keys)[1], what="weights")
    for kind in ("scaled", "dot_score", ""):
        with expect.raises(ValueError, what=f'the kind "{kind}"', hint=NAMES):
            student.attend(kind, query, keys)


@pytest.mark.points(5)
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


@pytest.mark.points(8)
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


@pytest.mark.points(3)
@pytest.mark.property
def check_context_passes_gradients(student, case, reference):
    """Through the context gradients reach the query and the keys."""
    leaves = _draw(case, requires_grad=True)["scaled_dot"]
    shape = leaves[0].shape
    up = case.randn(*shape)

    context = _of_shape(student.attend("scaled_dot", *leaves), shape)
    grads = torch.autograd.grad((context * up).sum(), leaves, allow_unused=True)

    ours = (reference.attend("scaled_dot", *leaves)[0] * up).sum()
    wanted = torch.autograd.grad(ours, leaves)
    for got, want in zip(grads, wanted, strict=True):
        expect.close(got, want, what="gradient", hint=GRADIENT)
