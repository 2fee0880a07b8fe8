"""Suite for bahdanau_attention: properties, never the student's source."""

import pytest
import torch

from grader.session import expect

pytestmark = pytest.mark.exercise("bahdanau_attention")

LAYERS = "Compare the names and shapes in state_dict() with those of the task."
RETURNS = "The task returns (context, weights). Print both shapes for B=2."
FORMULA = "Work one score out on paper: sum, tanh, v. Which step differs in your code?"
PADDING = "Put rubbish into the masked keys. Who else should notice?"
SUMS = "Over which positions does one query share out its attention?"
READ_OUT = "What is summed up: the keys as they came in, or something made from them?"
QUERY = "Change the query and print the weights. Does every layer of yours take part?"
CALLER = "The caller still holds keys. What do they look like afterwards?"
ORDER = "Should it matter in which order the keys are handed in?"

# Worked out once for _ramp() inputs: see check_recorded_numbers.
WEIGHTS = [[0.62029, 0.19727, 0.0, 0.18244], [0.5753, 0.0, 0.0, 0.4247]]
CONTEXT = [[0.18518, -0.07502, -0.26624], [0.20516, -0.01957, -0.2263]]


def _ramp(*shape, start):
    """The sines of start, start + 1, ...: numbers without a pattern or a seed."""
    count = torch.Size(shape).numel()
    return torch.arange(start, start + count).double().sin().float().reshape(shape)


def _layers(case, Dq, Dk, Da):
    """Weights by layer: W_query (Da, Dq), W_key (Da, Dk), v (1, Da)."""
    W_query, W_key = case.randn(Da, Dq, scale=0.8), case.randn(Da, Dk, scale=0.8)
    return {"W_query": W_query, "W_key": W_key, "v": case.randn(1, Da, scale=1.5)}


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
    """(context, weights) of one call.

    A pair in the other order, or an axis of size 1 too many, is put right here:
    only check_shapes_and_order takes points for it. Needs Tk != Dk.
    """
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


@pytest.mark.points(5)
@pytest.mark.property
def check_layers(student, worker, case):
    """The module has W_query, W_key and v as bias-free Linear layers, no more."""
    Dq, Dk, Da = case.sizes(Dq=(3, 5), Dk=(5, 7), Da=(4, 9))

    shapes = worker.kit.shapes(student.BahdanauAttention(Dq, Dk, Da))

    wanted = {"W_query.weight": [Da, Dq], "W_key.weight": [Da, Dk], "v.weight": [1, Da]}
    expect.equal(shapes, wanted, what="shapes in state_dict()", hint=LAYERS)


@pytest.mark.points(5)
@pytest.mark.property
def check_shapes_and_order(student, worker, case):
    """The result is (context, weights), of shapes (B, Dk) and (B, Tk)."""
    B, Tk, Dq, Dk, Da = case.sizes(B=(2, 4), Tk=(3, 6), Dq=(3, 5), Dk=(5, 8), Da=(4, 9))
    attn = _attention(student, worker, _layers(case, Dq, Dk, Da))

    result = attn(case.randn(B, Dq), case.randn(B, Tk, Dk), case.mask(B, Tk))

    context, weights = expect.pair(result, what="result", hint=RETURNS)
    expect.tensor(context, (B, Dk), torch.float32, what="context", hint=RETURNS)
    expect.tensor(weights, (B, Tk), torch.float32, what="weights", hint=RETURNS)


@pytest.mark.points(11)
@pytest.mark.numeric
def check_recorded_numbers(student, worker):
    """Given layers and inputs give the recorded weights and context."""
    B, Tk, Dq, Dk, Da = 2, 4, 6, 3, 5
    layers = {
        "W_query": _ramp(Da, Dq, start=1),
        "W_key": _ramp(Da, Dk, start=40),
        "v": 2 * _ramp(1, Da, start=60),
    }
    query, keys = _ramp(B, Dq, start=70), _ramp(B, Tk, Dk, start=90)
    mask = torch.tensor([[False, False, True, False], [False, True, True, False]])

    context, weights = _attend(_attention(student, worker, layers), query, keys, mask)

    expect.close(weights, WEIGHTS, what="weights", hint=FORMULA, atol=1e-4)
    expect.close(context, CONTEXT, what="context", hint=READ_OUT, atol=1e-4)


@pytest.mark.points(6)
@pytest.mark.property
def check_context_is_weighted_sum(student, worker, case):
    """Without a mask, weights sum to 1 and the context is the weighted sum of keys."""
    B, Tk, Dq, Dk, Da = case.sizes(B=(2, 4), Tk=(5, 7), Dq=(3, 5), Dk=(4, 8), Da=(4, 9))
    attn = _attention(student, worker, _layers(case, Dq, Dk, Da))
    query, keys = case.randn(B, Dq), case.randn(B, Tk, Dk)
    for mask in (None, torch.zeros(B, Tk).bool()):
        context, weights = _attend(attn, query, keys, mask)

        expect.rows_sum_to(weights, 1.0, what="weights", hint=SUMS)
        wanted = sum(weights[:, j, None] * keys[:, j] for j in range(Tk))
        expect.close(context, wanted, what="context", hint=READ_OUT)


@pytest.mark.points(9)
@pytest.mark.numeric
def check_masked_keys_get_nothing(student, worker, case):
    """Masked keys get weight 0, and what stands in them changes nothing."""
    B, Tk, Dq, Dk, Da = case.sizes(B=(2, 3), Tk=(6, 8), Dq=(3, 5), Dk=(4, 9), Da=(4, 9))
    attn = _attention(student, worker, _layers(case, Dq, Dk, Da))
    query, keys, mask = case.randn(B, Dq), case.randn(B, Tk, Dk), case.mask(B, Tk)
    other = torch.where(mask[..., None], case.randn(B, Tk, Dk, scale=50.0), keys)

    context, weights = _attend(attn, query, keys, mask)
    context_2, weights_2 = _attend(attn, query, other, mask)

    expect.zero_where(weights, mask, what="weights", hint=PADDING)
    expect.rows_sum_to(weights, 1.0, what="weights", hint=SUMS)
    expect.close(weights_2, weights, what="weights for other padding", hint=PADDING)
    expect.close(context_2, context, what="context for other padding", hint=PADDING)
    expect.inputs_unchanged(student, what="query, keys and mask", hint=CALLER)


@pytest.mark.points(5)
@pytest.mark.numeric
def check_query_moves_the_weights(student, worker, case):
    """Another query shares out its attention in another way."""
    B, Tk, Dq, Dk, Da = case.sizes(B=(2, 4), Tk=(5, 7), Dq=(3, 5), Dk=(4, 8), Da=(4, 9))
    attn = _attention(student, worker, _layers(case, Dq, Dk, Da))
    keys = case.randn(B, Tk, Dk)

    _, first = _attend(attn, case.randn(B, Dq), keys, None)
    _, second = _attend(attn, case.randn(B, Dq, scale=2.0), keys, None)

    expect.rows_sum_to(first, 1.0, what="weights", hint=SUMS)
    expect.rows_sum_to(second, 1.0, what="weights", hint=SUMS)
    expect.differs(first, second, what="weights for two queries", hint=QUERY)


@pytest.mark.points(6)
@pytest.mark.property
def check_order_of_keys(student, worker, case):
    """Permuting the keys permutes the weights and leaves the context."""
    B, Tk, Dq, Dk, Da = case.sizes(B=(2, 4), Tk=(5, 7), Dq=(3, 5), Dk=(4, 8), Da=(4, 9))
    attn = _attention(student, worker, _layers(case, Dq, Dk, Da))
    query, keys, mask = case.randn(B, Dq), case.randn(B, Tk, Dk), case.mask(B, Tk)
    mask[:, :-1] = False
    order = case.permutation(Tk)

    context, weights = _attend(attn, query, keys, mask)
    context_2, weights_2 = _attend(attn, query, keys[:, order], mask[:, order])

    expect.close(weights_2, weights[:, order], what="permuted weights", hint=ORDER)
    expect.close(context_2, context, what="context of permuted keys", hint=ORDER)
