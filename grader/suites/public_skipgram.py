"""Suite for skipgram: pairs on paper, losses at vectors where they are known."""

import math

import pytest
import torch

from grader.session import expect

pytestmark = pytest.mark.exercise("skipgram")

ENDS = "Write down the neighbours of the first and of the last place."
PLACES = "Compare places, not words: what about 'the the'?"
NO_PAIRS = "Which shape and which dtype has a tensor made from an empty list?"
ROW = "What does a one-hot row pick out of the matrix?"
QUESTIONS = (
    "How many yes/no questions come with one pair, and what does each cost at 0?"
)
SIGN = "Should a random word score high or low?"
LENGTH = "Does a longer vector count as nearer?"
ITSELF = "Which word is always nearest to the word itself?"


def _sorted_pairs(pairs, number, hint=ENDS):
    """Pairs as a sorted list, after a look at their shape."""
    pairs = expect.tensor(pairs, dtype=torch.int64, what="pairs")
    shape = tuple(pairs.shape)
    expect.true(
        len(shape) == 2 and shape[1] == 2,
        what="pairs",
        expected="shape (P, 2)",
        got=f"shape {shape}",
    )
    expect.equal(shape[0], number, what="number of pairs", hint=hint)
    return sorted(pairs.tolist())


@pytest.mark.points(7)
@pytest.mark.numeric
def check_pairs_of_a_sentence(student):
    """Five words and a window of two give the fourteen pairs that exist."""
    pairs = student.window_pairs(torch.tensor([5, 6, 7, 8, 9]), 2)

    near = [(5, 6), (5, 7), (6, 5), (6, 7), (6, 8), (7, 5), (7, 6), (7, 8), (7, 9)]
    near += [(8, 6), (8, 7), (8, 9), (9, 7), (9, 8)]
    got = _sorted_pairs(pairs, len(near))
    expect.equal(got, sorted(map(list, near)), what="pairs", hint=ENDS)


@pytest.mark.points(4)
@pytest.mark.numeric
def check_pairs_of_repeated_words(student):
    """A word that stands at two places can be its own neighbour."""
    pairs = student.window_pairs(torch.tensor([3, 3, 4]), 1)
    got = _sorted_pairs(pairs, 4, PLACES)

    expect.equal(got, [[3, 3], [3, 3], [3, 4], [4, 3]], what="pairs", hint=PLACES)


@pytest.mark.points(2)
@pytest.mark.numeric
def check_sentence_of_one_word(student):
    """A sentence of one word has no pairs, and one of two words has two."""
    none = student.window_pairs(torch.tensor([4]), 2)
    two = student.window_pairs(torch.tensor([4, 9]), 3)

    expect.tensor(none, (0, 2), torch.int64, what="pairs of one word", hint=NO_PAIRS)
    expect.equal(_sorted_pairs(two, 2), [[4, 9], [9, 4]], what="pairs", hint=ENDS)


@pytest.mark.points(5)
@pytest.mark.numeric
def check_one_hot_rows(student):
    """A one-hot row times the matrix is a row of the matrix."""
    weight = torch.tensor([[1.0, 2.0], [3.0, 5.0], [7.0, 11.0], [13.0, 17.0]])

    rows = student.one_hot_lookup(torch.tensor([2, 0, 2]), weight)

    expect.close(rows, [[7.0, 11.0], [1.0, 2.0], [7.0, 11.0]], what="rows", hint=ROW)


@pytest.mark.points(8)
@pytest.mark.numeric
def check_softmax_loss_on_paper(student):
    """The loss is the mean minus log-share of the true neighbours."""
    w_in = torch.tensor([[1.0, 0.0], [0.0, 1.0]])
    # exp of the scores: center 0 sees 1, 2, 5; center 1 sees 3, 1, 4.
    w_out = torch.tensor([[1.0, 2.0, 5.0], [3.0, 1.0, 4.0]]).log()

    loss = student.softmax_loss(w_in, w_out, torch.tensor([[0, 2], [1, 0], [0, 1]]))

    shares = (5 / 8, 3 / 8, 2 / 8)
    expected = -sum(math.log(s) for s in shares) / 3
    expect.close(loss, torch.tensor(expected), what="loss", hint=ROW)


@pytest.mark.points(9)
@pytest.mark.numeric
def check_negative_sampling_at_zero(student):
    """With vectors of zero each of the k + 1 questions costs ln 2."""
    for k in (5, 2):
        zeros = torch.zeros(3, 4)
        loss = student.negative_sampling_loss(zeros, zeros, torch.zeros(3, k, 4))

        expected = torch.tensor((k + 1) * math.log(2))
        expect.close(loss, expected, what=f"loss, k={k}", hint=QUESTIONS)


@pytest.mark.points(5)
@pytest.mark.numeric
def check_negative_sampling_pushes_apart(student):
    """A near neighbour and far negatives cost little; the reverse costs much."""
    center = torch.tensor([[3.0, 0.0]])
    near, far = torch.tensor([[2.0, 1.0]]), torch.tensor([[-2.0, 1.0]])

    good = student.negative_sampling_loss(center, near, far.unsqueeze(1))
    bad = student.negative_sampling_loss(center, far, near.unsqueeze(1))

    low, high = 2 * math.log1p(math.exp(-6)), 2 * math.log1p(math.exp(6))
    expect.close(good, torch.tensor(low), what="loss of a good pair", hint=SIGN)
    expect.close(bad, torch.tensor(high), what="loss of a bad pair", hint=SIGN)


@pytest.mark.points(8)
@pytest.mark.numeric
def check_nearest_by_angle(student):
    """Neighbours are ranked by angle, without the word itself."""
    vectors = torch.tensor(
        [[1.0, 0.0], [0.0, 9.0], [0.3, 0.4], [-2.0, 0.0], [4.0, 3.0]]
    )

    ids, cosines = expect.pair(student.nearest(vectors, 0, 3), what="nearest")

    expect.equal(ids, torch.tensor([4, 2, 1]), what="ids", hint=ITSELF)
    expect.close(cosines, [0.8, 0.6, 0.0], what="cosines", hint=LENGTH)
