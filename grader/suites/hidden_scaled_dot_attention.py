"""Hidden suite for scaled_dot_attention: drawn sizes, masks, heads, gradients."""

import pytest
import torch

from grader.session import expect

pytestmark = pytest.mark.exercise("scaled_dot_attention")

SCALE = "The size of one head, or of all together?"
BROADCAST = "Print mask.shape beside scores.shape. Which axes have to stretch?"
HEADS = "Try more than one head, and more than one position."
APART = "Which layer makes the values, and from which input?"
MASK = "The mask of a sample holds for all its heads."
LOW = "The valid scores of a row may all be far below the one that is masked."
ITSELF = "No mask: which keys may a position look at?"
CALLER = "What do the tensors hold that the caller still has?"
GRADIENT = "Which of the three layers have a gradient of None or zero?"
OWN = "Scores, shares, weighted sum: which of these steps did somebody else write?"


def _layer(student, worker, case, dim, heads):
    """The student's layer with drawn weights, and these weights by name."""
    layer = student.ProjectedAttention(dim, heads)
    names = ("W_Q.weight", "W_K.weight", "W_V.weight")
    weights = {name: case.randn(dim, dim, scale=0.6) for name in names}
    # A bias that should not be there becomes zero: it costs one check only.
    worker.kit.fill(layer, weights)
    return layer, weights


def _reference(reference, weights, dim, heads):
    layer = reference.ProjectedAttention(dim, heads)
    layer.load_state_dict(weights)
    return layer


@pytest.mark.points(10)
@pytest.mark.numeric
def check_drawn_sizes(student, case, reference):
    """Outputs and weights are right for any leading sizes and sizes of values."""
    # In float32 all of it would be off by 1e-8; the root of 16 is the same there.
    Tq, Tk, d, dv = case.sizes(Tq=(3, 4), Tk=(5, 7), d=(16, 16), dv=(1, 2))
    double, tight = {"dtype": torch.float64}, {"atol": 1e-12, "rtol": 1e-11}
    for lead, rows in (((), Tq), ((3,), 1), ((2, 3), Tq), ((2, 1, 3), Tq)):
        q, k = case.randn(*lead, rows, d, **double), case.randn(*lead, Tk, d, **double)
        v, mask = case.randn(*lead, Tk, dv, **double), case.mask(*lead, rows, Tk)
        for given in (mask, None):
            got = expect.pair(
                student.scaled_dot_attention(q, k, v, given), what="result"
            )
            expected = reference.scaled_dot_attention(q, k, v, given)
            expect.close(got[1], expected[1], what="weights", hint=SCALE, **tight)
            expect.close(got[0], expected[0], what="output", **tight)


@pytest.mark.points(7)
@pytest.mark.numeric
def check_masks_that_broadcast(student, case, reference):
    """Masks of keys alone, or of heads alone, stretch over all the others."""
    B, h, Tq, Tk, d = case.sizes(B=(2, 2), h=(3, 4), Tq=(5, 6), Tk=(7, 8), d=(10, 11))
    q, k, v = (case.randn(B, h, T, d) for T in (Tq, Tk, Tk))

    sizes = ((B, 1, 1, Tk), (Tk,), (Tq, Tk), (h, Tq, Tk))
    calls = [(q, k, v, case.mask(*size)) for size in sizes]
    calls.append((q, k, v, torch.zeros(Tq, Tk).bool()))  # a mask of nothing
    cube = [case.randn(h, h, h) for _ in range(3)]
    calls.append((*cube, case.mask(h, h)))  # no size tells an axis
    for args in calls:
        got = expect.pair(student.scaled_dot_attention(*args), what="result")
        expected = reference.scaled_dot_attention(*args)
        expect.close(got[1], expected[1], what="weights", hint=BROADCAST)
        expect.close(got[0], expected[0], what="output", hint=BROADCAST)


@pytest.mark.points(4)
@pytest.mark.numeric
def check_scores_far_below(student, case, reference):
    """Masked keys get no weight where their scores are far above the valid ones."""
    Tq, Tk = case.sizes(Tq=(3, 4), Tk=(5, 6))
    q, v = torch.ones(Tq, 1).double(), case.randn(Tk, 1, dtype=torch.float64)
    near, mask = case.rand(Tk, 1, lo=-5.0, hi=0.0).double(), case.mask(Tk)
    # exp(800) is inf and exp(-800) is 0, in float64 too.
    for low, high, given in ((-200, 200, mask), (-5000, 800, mask), (800, 0, None)):
        k = torch.where(mask[:, None] & (given is not None), high, near + low)

        got = expect.pair(student.scaled_dot_attention(q, k, v, given), what="result")

        expected = reference.scaled_dot_attention(q, k, v, given)
        expect.close(got[1], expected[1], what="weights", hint=LOW)
        expect.close(got[0], expected[0], what="output", hint=LOW)


@pytest.mark.points(4)
@pytest.mark.numeric
def check_positions_look_at_all(student, worker, case, reference):
    """Without a mask every position of a row looks at all of that row."""
    B, T = case.sizes(B=(2, 3), T=(4, 5))
    layer, weights = _layer(student, worker, case, 6, 2)
    x = case.randn(B, T, 6)

    got = expect.pair(layer(x, x), what="result")

    expected = [r.detach() for r in _reference(reference, weights, 6, 2)(x, x)]
    expect.close(got[1], expected[1], what="weights", hint=ITSELF)
    expect.close(got[0], expected[0], what="output", hint=ITSELF)


@pytest.mark.points(3)
@pytest.mark.property
def check_arguments_are_left_alone(student, case):
    """Queries, keys, values and mask are the same after the call as before."""
    B, Tq, Tk, d = case.sizes(B=(2, 3), Tq=(4, 5), Tk=(6, 7), d=(8, 9))
    q, k, v = (case.randn(B, T, d) for T in (Tq, Tk, Tk))

    got = student.scaled_dot_attention(q, k, v, case.mask(B, Tq, Tk))

    expect.inputs_unchanged(student, what="arguments", hint=CALLER)
    expect.tensor(expect.pair(got, what="result")[0], (B, Tq, d), what="output")


@pytest.mark.points(8)
@pytest.mark.numeric
def check_heads_of_drawn_sizes(student, case, reference):
    """Splitting and merging are right for any number of heads."""
    B, T, d = case.sizes(B=(2, 3), T=(4, 5), d=(6, 7))
    for heads, steps in ((1, T), (2, T), (3, T), (2, 1)):
        x = case.randn(B, steps, heads * d)
        split, joined = student.split_heads(x, heads), reference.split_heads(x, heads)
        expect.close(split, joined, what=f"{heads} heads", hint=HEADS)
        merged = student.merge_heads(joined.contiguous())
        expect.close(merged, x, what=f"{heads} heads joined", hint=HEADS)


@pytest.mark.points(10)
@pytest.mark.numeric
def check_layer_of_several_heads(student, worker, case, reference):
    """The layer is right with one head and several, looking into a memory."""
    B, Tq, Tk = case.sizes(B=(2, 3), Tq=(4, 5), Tk=(6, 7))
    # As many queries as keys: their sizes do not tell the two inputs apart.
    for heads, dim, rows in ((1, 5, Tq), (2, 8, Tq), (3, 9, Tq), (2, 6, Tk)):
        layer, weights = _layer(student, worker, case, dim, heads)
        x, memory = case.randn(B, rows, dim), case.randn(B, Tk, dim)
        mask = case.mask(B, rows, Tk)
        if rows == Tk:  # a layer is the same in training and evaluation
            layer.eval()

        got = expect.pair(layer(x, memory, mask), what="result")

        ours = _reference(reference, weights, dim, heads)
        expected = [r.detach() for r in ours(x, memory, mask)]
        expect.close(got[1], expected[1], what=f"{heads} heads: weights", hint=MASK)
        expect.close(got[0], expected[0], what=f"{heads} heads: output", hint=APART)


@pytest.mark.points(8)
@pytest.mark.numeric
def check_gradients(student, worker, case, reference):
    """Gradients reach the three layers and both inputs."""
    B, Tq, Tk = case.sizes(B=(2, 3), Tq=(4, 5), Tk=(6, 7))
    layer, weights = _layer(student, worker, case, 6, 2)
    # Small scores: exp(x - logsumexp(x)) in float32 is as good as any softmax.
    small = {"scale": 0.5, "requires_grad": True}
    x, memory = (case.randn(B, T, 6, **small) for T in (Tq, Tk))
    up = case.randn(B, Tq, 6)

    output, _ = expect.pair(layer(x, memory), what="result")
    (expect.tensor(output, (B, Tq, 6), what="output") * up).sum().backward()
    got = {**layer.grads(), "x": x.grad, "memory": memory.grad}

    ours = _reference(reference, weights, 6, 2)
    names = [*dict(ours.named_parameters()), "x", "memory"]
    leaves = [x.detach().requires_grad_(), memory.detach().requires_grad_()]
    loss = (ours(*leaves)[0] * up).sum()
    expected = torch.autograd.grad(loss, [*ours.parameters(), *leaves])
    for name, want in zip(names, expected, strict=True):
        expect.close(got.get(name), want, what=f"gradient of {name}", hint=GRADIENT)


@pytest.mark.points(3)
@pytest.mark.property
def check_no_ready_made_attention(student, worker, case):
    """The layer holds three linear layers and runs no ready-made attention."""
    B, Tq, Tk = case.sizes(B=(2, 3), Tq=(4, 5), Tk=(6, 7))
    layer, _ = _layer(student, worker, case, 4, 2)
    x, memory = case.randn(B, Tq, 4), case.randn(B, Tk, 4)

    plain, _ = expect.pair(layer(x, memory), what="result")
    # Ready-made attention gives other numbers in this call; the names explain.
    answer = worker.ready_made.disturbed(layer, x, memory)
    result, used = expect.pair(answer, what="result")
    again, _ = expect.pair(result, what="result")

    expect.tensor(plain, (B, Tq, 4), what="output")
    name = f"output without {used}" if used else "output, called again"
    expect.close(again, plain, what=name, hint=OWN)
    held = worker.ready_made.held(layer)
    expect.equal(held, [], what="ready-made attention in the layer", hint=OWN)
