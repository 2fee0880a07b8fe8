"""Hidden suite for bahdanau_attention: many sizes, gradients, hard scores, the rule."""

import pytest
import torch

from grader.session import expect

pytestmark = pytest.mark.exercise("bahdanau_attention")

LAYERS = "Compare the names and shapes in state_dict() with those of the task."
RETURNS = "The task returns (context, weights). Print both shapes for B=2."
SIZES = "Is every axis lined up with its own kind, also when B equals Tk?"
ONES = "Try a batch of one and a single key. Which axes did you mean to remove?"
ROWS = "Change one sample of the batch. Which rows of the result may move?"
GRADIENT = "Look for a .grad that is None or zero. Where does the gradient stop?"
FULL_ROW = "What is left to normalise in a sample of padding? Look at keys.grad, too."
HARD = "How high may a score be before exp overflows, how low before it is 0?"
RULE = "Scores, weights, weighted sum: which step did somebody else write?"


def _layers(case, Dq, Dk, Da):
    """Weights by layer: W_query (Da, Dq), W_key (Da, Dk), v (1, Da).

    With a small v no key takes all: what any of them gets by mistake shows.
    """
    W_query, W_key = case.randn(Da, Dq, scale=0.8), case.randn(Da, Dk, scale=0.8)
    return {"W_query": W_query, "W_key": W_key, "v": case.randn(1, Da, scale=0.5)}


def _attention(student, worker, layers):
    """The student's attention with ``layers`` copied in by name, biases set to 0."""
    (Da, Dq), (_, Dk) = layers["W_query"].shape, layers["W_key"].shape
    attn = student.BahdanauAttention(Dq, Dk, Da)
    shapes = worker.kit.shapes(attn)
    values = {n: torch.zeros(s) for n, s in shapes.items() if n.endswith("bias")}
    for layer, weight in layers.items():
        # A bare parameter, or one stored the other way round, costs check_layers only.
        name = layer if layer in shapes else f"{layer}.weight"
        views = (weight, weight.T.contiguous(), weight.reshape(-1))
        fitting = [view for view in views if list(view.shape) == shapes.get(name)]
        got = str(shapes.get(name, "no such name"))
        wanted = f"{list(weight.shape)}"
        expect.true(bool(fitting), what=name, expected=wanted, got=got, hint=LAYERS)
        values[name] = fitting[0]
    worker.kit.fill(attn, values)
    return attn


def _attend(attn, query, keys, mask):
    """(context, weights) of one call; a swapped pair is put right, see public."""
    B, Tk, Dk = keys.shape
    context, weights = expect.pair(attn(query, keys, mask), what="result", hint=RETURNS)
    context = expect.tensor(context, what="context", hint=RETURNS)
    weights = expect.tensor(weights, what="weights", hint=RETURNS)
    if context.numel() == B * Tk and weights.numel() == B * Dk:
        context, weights = weights, context
    if weights.dim() == 3 and weights.numel() == B * Tk:
        weights = weights.reshape(B, Tk)
    if context.dim() == 3 and context.numel() == B * Dk:
        context = context.reshape(B, Dk)
    expect.tensor(context, (B, Dk), keys.dtype, what="context", hint=RETURNS)
    expect.tensor(weights, (B, Tk), keys.dtype, what="weights", hint=RETURNS)
    return context, weights


def _backward(context, weights, loss):
    """Backward through ``loss``, once it is sure that both results have a graph."""
    for what, result in (("context", context), ("weights", weights)):
        expect.true(result.requires_grad, what=f"{what}.requires_grad", hint=GRADIENT)
    loss.backward()


def _reference(reference, layers):
    (Da, Dq), (_, Dk) = layers["W_query"].shape, layers["W_key"].shape
    attn = reference.BahdanauAttention(Dq, Dk, Da)
    attn.load_state_dict({f"{name}.weight": value for name, value in layers.items()})
    return attn


@pytest.mark.points(12)
@pytest.mark.numeric
def check_formula_for_any_sizes(student, worker, case, reference):
    """Small and large batches, masked or not, call after call, follow the formula."""
    Dq, Dk, Da = case.sizes(Dq=(3, 9), Dk=(11, 30), Da=(12, 40))
    layers = _layers(case, Dq, Dk, Da)
    attn = _attention(student, worker, layers)
    ours = case.once("ours", lambda: _reference(reference, layers))
    for call, (B, Tk) in enumerate(((2, 3), (4, 4), (7, 60), (2, 3))):
        if call == 3:  # the formula is one for training and evaluation
            attn.eval()
        for masked in (True, False):
            query, keys = case.randn(B, Dq), case.randn(B, Tk, Dk)
            mask = case.mask(B, Tk) if masked else None
            keys[0, 0] = 0.0  # a key like any other: only the mask tells padding

            context, weights = _attend(attn, query, keys, mask)

            right_context, right_weights = ours(query, keys, mask)
            what = f"for B={B}, Tk={Tk}"
            expect.close(weights, right_weights, what=f"weights {what}", hint=SIZES)
            expect.close(context, right_context, what=f"context {what}", hint=SIZES)


@pytest.mark.points(7)
@pytest.mark.numeric
def check_batch_of_one_and_one_key(student, worker, case, reference):
    """A batch of one keeps its axis, and a single key gets weight 1."""
    Tk, Dq, Dk, Da = case.sizes(Tk=(4, 6), Dq=(3, 5), Dk=(5, 9), Da=(4, 8))
    layers = _layers(case, Dq, Dk, Da)
    attn = _attention(student, worker, layers)
    query, keys, mask = case.randn(2, Dq), case.randn(2, Tk, Dk), case.mask(1, Tk)
    mask[:, :3], mask[:, 3] = False, True

    one = _attend(attn, query[:1], keys[:1], mask)
    single = _attend(attn, query, keys[:, :1], None)
    both = _attend(attn, query[:1], keys[:1, :1], None)
    thin = _layers(case, 2, 1, 1)
    inputs = case.randn(2, 2), case.randn(2, Tk, 1), case.mask(2, Tk)
    narrow = _attend(_attention(student, worker, thin), *inputs)

    right = _reference(reference, layers)(query[:1], keys[:1], mask)
    expect.close(one[1], right[1], what="weights for B=1", hint=ONES)
    expect.close(one[0], right[0], what="context for B=1", hint=ONES)
    expect.close(single[1], torch.ones(2, 1), what="weights for Tk=1", hint=ONES)
    expect.close(single[0], keys[:, 0], what="context for Tk=1", hint=ONES)
    expect.close(both[1], torch.ones(1, 1), what="weights for B=Tk=1", hint=ONES)
    expect.close(both[0], keys[:1, 0], what="context for B=Tk=1", hint=ONES)
    right = _reference(reference, thin)(*inputs)
    expect.close(narrow[1], right[1], what="weights for Dk=Da=1", hint=ONES)
    expect.close(narrow[0], right[0], what="context for Dk=Da=1", hint=ONES)


@pytest.mark.points(6)
@pytest.mark.numeric
def check_samples_are_apart(student, worker, case, reference):
    """Each sample is looked up alone: the others of its batch change nothing."""
    B, D, Da = case.sizes(B=(3, 5), D=(6, 9), Da=(4, 8))
    layers = _layers(case, D, D, Da)  # of one size, and still two layers
    attn = _attention(student, worker, layers)
    query, keys, mask = case.randn(B, D), case.randn(B, B, D), case.mask(B, B)
    mask[:, :2], mask[:, 2] = False, True
    other_query, other_keys = case.randn(B, D), case.randn(B, B, D, scale=3.0)
    other_query[-1], other_keys[-1] = query[-1], keys[-1]

    first = _attend(attn, query, keys, mask)
    second = _attend(attn, other_query, other_keys, mask)

    right = _reference(reference, layers)(query[-1:], keys[-1:], mask[-1:])
    for context, weights in (first, second):
        expect.close(weights[-1:], right[1], what="weights of one sample", hint=ROWS)
        expect.close(context[-1:], right[0], what="context of one sample", hint=ROWS)


@pytest.mark.points(10)
@pytest.mark.numeric
def check_gradients(student, worker, case, reference):
    """Gradients reach query, keys and all three layers, to float64 precision."""
    B, Tk, Dq, Dk, Da = case.sizes(B=(2, 3), Tk=(4, 6), Dq=(3, 5), Dk=(5, 8), Da=(4, 8))
    layers = _layers(case, Dq, Dk, Da)
    attn, ours = (
        _attention(student, worker, layers),
        _reference(reference, layers).double(),
    )
    worker.kit.to_double(attn)
    query = case.randn(B, Dq, dtype=torch.float64, requires_grad=True)
    keys = case.randn(B, Tk, Dk, dtype=torch.float64, requires_grad=True)
    mask, factor = case.mask(B, Tk), case.randn(B, Dk, dtype=torch.float64)
    mask[:, :3], mask[:, 3] = False, True
    our_query, our_keys = (t.detach().clone().requires_grad_() for t in (query, keys))

    context, weights = _attend(attn, query, keys, mask)
    _backward(context, weights, (context * factor).sum() + weights.pow(2).sum())
    right, right_weights = ours(our_query, our_keys, mask)
    ((right * factor).sum() + right_weights.pow(2).sum()).backward()

    expect.close(context, right, what="context in float64", hint=GRADIENT)
    expect.close(query.grad, our_query.grad, what="query.grad", hint=GRADIENT)
    expect.close(keys.grad, our_keys.grad, what="keys.grad", hint=GRADIENT)
    grads = attn.grads()
    for layer, weight in ours.named_parameters():
        name = layer if layer in grads else layer.removesuffix(".weight")
        grad = expect.tensor(grads.get(name), what=f"{name}.grad", hint=GRADIENT)
        if grad.numel() == weight.numel():
            turned = grad.shape == weight.shape[::-1]
            grad = grad.T if turned else grad.reshape(weight.shape)
        expect.close(grad, weight.grad, what=f"{name}.grad", hint=GRADIENT)


@pytest.mark.points(7)
@pytest.mark.property
def check_sample_of_padding_only(student, worker, case):
    """A sample that is all padding gives no NaN, in results or in any gradient."""
    B, Tk, Dq, Dk, Da = case.sizes(B=(3, 4), Tk=(5, 6), Dq=(3, 5), Dk=(7, 9), Da=(4, 8))
    attn = _attention(student, worker, _layers(case, Dq, Dk, Da))
    query, keys = case.randn(B, Dq, requires_grad=True), case.randn(B, Tk, Dk)
    keys.requires_grad_()
    mask = case.mask(B, Tk, full_rows=1)

    context, weights = _attend(attn, query, keys, mask)
    expect.finite(weights, what="weights", hint=FULL_ROW)
    expect.finite(context, what="context", hint=FULL_ROW)
    _backward(context, weights, context.pow(2).sum() + weights.pow(2).sum())

    expect.finite(query.grad, what="query.grad", hint=FULL_ROW)
    expect.finite(keys.grad, what="keys.grad", hint=FULL_ROW)
    for name, grad in attn.grads().items():
        if grad is not None:
            expect.finite(grad, what=f"{name}.grad", hint=FULL_ROW)


@pytest.mark.points(5)
@pytest.mark.numeric
def check_hard_scores(student, worker, case, reference):
    """Scores near 800 and -800, valid or masked, change nothing in the rule."""
    B, Tk, Dk, Dq, Da = case.sizes(
        B=(2, 3), Tk=(6, 8), Dk=(9, 11), Dq=(3, 5), Da=(4, 7)
    )
    layers = _layers(case, Dq, Dk, Da)
    layers["v"][0, :2] = torch.tensor([1.0, -1.0])  # both signs: relu is no tanh
    # Far out along this direction every tanh is +-1 and the score +-800.
    # (exp overflows on the way there, where tanh is made of exponentials).
    far = 120.0 * torch.linalg.pinv(layers["W_key"]) @ layers["v"][0].sign()
    layers["v"] *= 800.0 / float(layers["v"].abs().sum())
    query, keys, mask = case.randn(B, Dq), case.randn(B, Tk, Dk), case.mask(B, Tk)
    mask[:, :3], mask[:, 3], mask[0, 4:] = False, True, True
    keys = 0.3 * keys - far
    keys[0, 3] = far
    keys[1:, 0] = far

    context, weights = _attend(_attention(student, worker, layers), query, keys, mask)

    right, right_weights = _reference(reference, layers)(query, keys, mask)
    # Sums of terms up to 800 in another order differ by about 3e-4 in float32.
    expect.close(weights, right_weights, what="weights", hint=HARD, atol=1e-3)
    expect.close(context, right, what="context", hint=HARD, atol=1e-2)


@pytest.mark.points(6)
@pytest.mark.numeric
@pytest.mark.fresh_worker
def check_three_steps_are_your_own(student, worker, case, reference):
    """Numbers come out right without any ready-made attention being run."""
    B, Tk, Dq, Dk, Da = case.sizes(B=(2, 3), Tk=(4, 6), Dq=(3, 5), Dk=(5, 8), Da=(4, 8))
    layers = _layers(case, Dq, Dk, Da)
    attn = _attention(student, worker, layers)
    inputs = (case.randn(B, Dq), case.randn(B, Tk, Dk), case.mask(B, Tk))
    inputs[2][:, :3], inputs[2][:, 3] = False, True

    plain = _attend(attn, *inputs)
    # Ready-made attention gives other numbers in this call; the names explain.
    answer = worker.ready_made.disturbed(attn, *inputs)
    result, used = expect.pair(answer, what="second call")
    context, weights = _attend(lambda *_: result, *inputs)

    right, right_weights = _reference(reference, layers)(*inputs)
    expect.close(plain[1], right_weights, what="weights", hint=SIZES)
    expect.close(plain[0], right, what="context", hint=SIZES)
    name = f"weights without {used}" if used else "weights, called again"
    expect.close(weights, right_weights, what=name, hint=RULE)
    name = f"context without {used}" if used else "context, called again"
    expect.close(context, right, what=name, hint=RULE)
    held = worker.ready_made.held(attn)
    expect.equal(held, [], what="ready-made attention in the module", hint=RULE)
