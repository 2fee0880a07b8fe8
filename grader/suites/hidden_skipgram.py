"""Hidden suite for skipgram: drawn words and vectors against the reference."""

import pytest
import torch

from grader.session import expect

pytestmark = pytest.mark.exercise("skipgram")

ENDS = "How many pairs do windows of 1, 2 and 3 give? Count them by hand."
GRADIENT = "Does every step between the matrix and the loss keep the graph?"
QUESTIONS = "One question for the neighbour and one for each negative, pair by pair."
LENGTH = "What does the length of a vector do to its dot products?"
# A float64 that was float32 on its way is off by 1e-7.
EXACT = {torch.float32: {}, torch.float64: {"atol": 1e-11, "rtol": 1e-9}}
FAR = "What is the logarithm of a share too small for its dtype?"
DTYPE = "Which dtype has a one-hot matrix, and which one the vectors?"
STAYS = "The caller may go on with these tensors. Which line writes into one?"
PLAIN = "What does int(...) make of a tensor that holds one number?"
WORDS = "Which words can not be the answer?"
TARGET = "From where to where does the step from a to b lead, and where does it start?"


@pytest.mark.points(10)
@pytest.mark.numeric
def check_pairs_of_drawn_sentences(student, case, reference):
    """Windows of any width give each pair of near places once in each direction."""
    V, T = case.sizes(V=(3, 5), T=(6, 9))
    ids = case.randint(0, V, T)

    for window in (1, 3, T + 2):
        pairs = student.window_pairs(ids, window)
        expected = reference.window_pairs(ids, window)
        expect.tensor(pairs, expected.shape, what=f"pairs, window={window}", hint=ENDS)
        expect.equal(sorted(pairs.tolist()), sorted(expected.tolist()), what="pairs")


@pytest.mark.points(7)
@pytest.mark.numeric
def check_lookup_gradient(student, case):
    """The lookup gives rows of the matrix, and a row used twice twice the gradient."""
    V, D = case.sizes(V=(5, 8), D=(2, 4))
    for dtype in (torch.float32, torch.float64):
        weight = case.randn(V, D, requires_grad=True, dtype=dtype)
        upstream = case.randn(3, D, dtype=dtype)

        rows = student.one_hot_lookup(torch.tensor([1, V - 2, 1]), weight)
        expect.tensor(rows, (3, D), dtype, what="rows", hint=DTYPE)
        (rows * upstream).sum().backward()

        # Sums with zeros are exact.
        wanted = weight[[1, V - 2, 1]]
        expect.close(rows, wanted, what="rows", hint=DTYPE, atol=1e-12, rtol=1e-12)
        expected = torch.zeros(V, D, dtype=dtype)
        expected[1], expected[V - 2] = upstream[0] + upstream[2], upstream[1]
        expect.close(weight.grad, expected, what="weight.grad", hint=GRADIENT)


@pytest.mark.points(7)
@pytest.mark.numeric
def check_softmax_loss_gradients(student, case, reference):
    """The full-softmax loss and both its gradients are right."""
    V, D, P = case.sizes(V=(5, 8), D=(2, 4), P=(9, 12))
    kinds = (D, torch.float32, P), (V, torch.float64, P), (D, torch.float32, 1)
    for width, dtype, n in kinds:
        w_in = case.randn(V, width, requires_grad=True, dtype=dtype)
        w_out = case.randn(width, V, requires_grad=True, dtype=dtype)
        pairs = case.randint(0, V - 1, n, 2)  # all words share, those not seen too
        pairs[-1] = pairs[0]  # a pair that occurs twice counts twice

        loss = student.softmax_loss(w_in, w_out, pairs)
        expect.tensor(loss, (), dtype, what="loss", hint=DTYPE)
        grads = torch.autograd.grad(loss, (w_in, w_out))

        again = reference.softmax_loss(w_in, w_out, pairs)
        expected = torch.autograd.grad(again, (w_in, w_out))
        close = EXACT[dtype]
        expect.close(loss, again, what="loss", **close)
        for name, got, want in zip(("w_in", "w_out"), grads, expected, strict=True):
            expect.close(got, want, what=f"gradient of {name}", hint=GRADIENT, **close)


@pytest.mark.points(10)
@pytest.mark.numeric
def check_negative_sampling_loss(student, case, reference):
    """The negative-sampling loss and its gradients are right."""
    P, few, D = case.sizes(P=(5, 7), k=(2, 4), D=(8, 10))
    for k, dtype in ((few, torch.float32), (1, torch.float64), (11, torch.float32)):
        shapes = (P, D), (P, D), (P, k, D)
        inputs = [case.randn(*s, requires_grad=True, dtype=dtype) for s in shapes]

        loss = student.negative_sampling_loss(*inputs)
        expect.tensor(loss, (), dtype, what="loss", hint=DTYPE)
        grads = torch.autograd.grad(loss, inputs)

        again = reference.negative_sampling_loss(*inputs)
        close = EXACT[dtype]
        expect.close(loss, again, what="loss", hint=QUESTIONS, **close)
        expected = torch.autograd.grad(again, inputs)
        names = ("center", "context", "negatives")
        for name, got, want in zip(names, grads, expected, strict=True):
            expect.close(got, want, what=f"gradient of {name}", hint=GRADIENT, **close)


@pytest.mark.points(3)
@pytest.mark.numeric
def check_losses_of_far_scores(student, case):
    """Both losses are right, and finite, for scores of some hundred."""
    far = case.integer(3, 6) * 100.0
    # Scores of the centers: far, 0, -far/2 and -far, 0, far/2.
    w_in = torch.tensor([[far], [-far], [0.0]])
    w_out, ends = torch.tensor([[1.0, 0.0, -0.5]]), torch.tensor([[1.0], [-1.0]])

    full = student.softmax_loss(w_in, w_out, torch.tensor([[0, 2], [1, 0], [0, 0]]))
    sampled = student.negative_sampling_loss(w_in[:2], -ends, ends.view(2, 1, 1))

    # Behind the best by 1.5 far, 1.5 far and 0; two questions of far for each pair.
    expect.close(full, torch.tensor(far), what="softmax loss", hint=FAR)
    expect.close(sampled, torch.tensor(2 * far), what="negative-sampling", hint=FAR)


@pytest.mark.points(6)
@pytest.mark.numeric
def check_nearest_of_drawn_vectors(student, case, reference):
    """Ids and cosines of the nearest words are right for vectors of any length."""
    V, D = case.sizes(V=(9, 12), D=(3, 5))

    single, double = torch.float32, torch.float64
    for index, k, dtype in ((0, 1, single), (V - 1, V - 1, single), (V - 2, 2, double)):
        vectors = case.randn(V, D, dtype=dtype)
        vectors = vectors * case.rand(V, 1, lo=0.1, hi=5.0, dtype=dtype)
        if dtype is single:  # short, and a direction all the same
            vectors[2] *= 0.02 / vectors[2].norm()
        if index:
            vectors[1] = 2 * vectors[index]  # another word may lie the same way
        ids, cosines = expect.pair(student.nearest(vectors, index, k), what="nearest")
        expected = reference.nearest(vectors, index, k)
        expect.tensor(cosines, (k,), dtype, what="cosines", hint=DTYPE)
        expect.close(cosines, expected[1], what="cosines", hint=LENGTH, rtol=1e-4)
        expect.tensor(ids, (k,), torch.int64, what="ids")
        expect.equal(ids, expected[0], what="ids", hint=LENGTH)

    # All the others lie the other way.
    vectors = torch.tensor([[-2.0, 0.0], [-0.5, 0.0], [4.0, 0.0], [-8.0, 0.0]])
    ids, cosines = expect.pair(student.nearest(vectors, 2, 3), what="nearest")
    expect.close(cosines, [-1.0, -1.0, -1.0], what="cosines", hint=LENGTH)
    ids = sorted(expect.tensor(ids, (3,), what="ids").tolist())
    expect.equal(ids, [0, 1, 3], what="ids", hint=WORDS)


@pytest.mark.points(6)
@pytest.mark.numeric
def check_analogy(student, case, reference):
    """The answer to "a is to b as c is to ..." completes the parallelogram."""
    D = case.integer(4, 6)
    for order, length in (((0, 1, 2), 3), ((2, 3, 0), 1e-4), ((1, 0, 3), 3)):
        vectors = case.randn(8, D)
        vectors = vectors / vectors.norm(dim=1, keepdim=True)
        a, b, c = order
        answer = 6
        vectors[answer] = length * (vectors[b] - vectors[a] + vectors[c])
        # A decoy at the other corner: the step taken backwards.
        vectors[7] = 3 * (vectors[a] - vectors[b] + vectors[c])

        got = student.analogy(vectors, a, b, c)

        expect.equal(got, answer, what="answer", hint=TARGET)

    # Here a and b are nearly the same, so that c itself is nearest of all.
    vectors = case.randn(9, D)
    vectors[1] = vectors[0] + 0.05 * vectors[5]
    expected = reference.analogy(vectors, 0, 1, 2)
    expect.equal(student.analogy(vectors, 0, 1, 2), expected, what="answer", hint=WORDS)

    # Here b is a long step along a, so that a is nearest of all; and then b's twin.
    vectors = torch.tensor([[1, 0], [4, 0.1], [0, 1], [-1, 0.3], [0.2, -1], [1, -0.5]])
    expect.equal(student.analogy(vectors, 0, 1, 2), 5, what="answer", hint=WORDS)
    vectors[3] = vectors[1]
    expect.equal(student.analogy(vectors, 0, 1, 2), 3, what="answer", hint=WORDS)

    # Of four words one is left, though it points away from the sum.
    vectors = torch.tensor([[1.0, 1.0], [2.0, 1.0], [1.0, 0.0], [-4.0, 0.0]])
    expect.equal(student.analogy(vectors, 0, 1, 2), 3, what="answer", hint=WORDS)

    # Among many words of all lengths every part of the sum decides.
    vectors = case.randn(60, D) * case.rand(60, 1, lo=0.2, hi=5.0)
    for a, b, c in ((9, 17, 3), (50, 4, 21), (33, 2, 40)):
        expected = reference.analogy(vectors, a, b, c)
        got = student.analogy(vectors, a, b, c)
        expect.equal(got, expected, what="answer", hint=TARGET)


@pytest.mark.points(1)
@pytest.mark.numeric
def check_analogy_is_an_int(student):
    """The answer is an int of Python."""
    corners = torch.tensor(
        [[0.0, 1.0], [1.0, 1.0], [0.0, 2.0], [1.0, 2.0], [-3.0, 1.0]]
    )

    answer = student.analogy(corners, 0, 1, 2)

    expect.number(answer, int, what="answer", hint=PLAIN)
    expect.equal(answer, 3, what="answer", hint=TARGET)


@pytest.mark.points(2)
@pytest.mark.property
def check_arguments_stay(student, case):
    """Words, pairs and vectors stay as they were given."""
    V, D = case.sizes(V=(5, 8), D=(2, 4))
    vectors, ids = case.randn(V, D), case.randint(0, V, 4)
    pairs = ids.view(2, 2)

    for call, given in (
        (student.window_pairs, (ids, 1)),
        (student.one_hot_lookup, (ids, vectors)),
        (student.softmax_loss, (vectors, vectors.T.clone(), pairs)),
        (
            student.negative_sampling_loss,
            (*vectors[:4].view(2, 2, D), vectors[:2, None]),
        ),
        (student.nearest, (vectors, 1, 2)),
        (student.analogy, (vectors, 0, 1, 2)),
    ):
        call(*given)
        expect.inputs_unchanged(student, hint=STAYS)
