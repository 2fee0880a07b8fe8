"""Skip-gram word vectors (origins of attention, "word vectors").

Try it: make check EX=skipgram

Counting shares nothing between words. Skip-gram gives each word a vector and
asks it to predict the words around it: P(o | c) = softmax over w of
u_w · v_c at w = o. Words with the same neighbours end up with near vectors.
The softmax over a large vocabulary is dear, so word2vec replaces it by k + 1
yes/no questions: one about the true neighbour, k about random words.
Arguments stay as they are, and results keep their dtype.
"""

import torch
import torch.nn.functional as F


def window_pairs(ids: torch.Tensor, window: int) -> torch.Tensor:
    """All (center, context) pairs of one sentence.

    Args:
        ids: (T,) int64. The same word may stand at several places.
        window: how many places to each side count as context; near the ends
            there are fewer.

    Returns:
        (P, 2) int64, in any order; a place is never its own context. One word
        alone has no pairs: (0, 2).
    """
    # BEGIN SOLUTION window_pairs (TODO 1 of 6): for each place, the places at most window away that exist. About 6 lines.
    pairs = [
        (int(ids[i]), int(ids[j]))
        for i in range(len(ids))
        for j in range(max(0, i - window), min(len(ids), i + window + 1))
        if i != j
    ]
    return torch.tensor(pairs, dtype=torch.int64).reshape(-1, 2)
    # END SOLUTION


def one_hot_lookup(ids: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """Look rows up the slow way: one-hot vectors times the matrix.

    That the result equals ``weight[ids]`` is why an embedding is a layer.

    Args:
        ids: (N,) int64.
        weight: (V, D) float.

    Returns:
        (N, D), differentiable with respect to ``weight``.
    """
    # BEGIN SOLUTION one_hot_lookup (TODO 2 of 6): one product with a (N, V) matrix. About 2 lines.
    one_hot = F.one_hot(ids, weight.shape[0]).to(weight.dtype)
    return one_hot @ weight
    # END SOLUTION


def softmax_loss(
    w_in: torch.Tensor, w_out: torch.Tensor, pairs: torch.Tensor
) -> torch.Tensor:
    """Mean cross-entropy of the contexts under the full softmax.

    Args:
        w_in: (V, D), row c is v_c.
        w_out: (D, V), column o is u_o.
        pairs: (P, 2) int64, center and context.

    Returns:
        0-d tensor with a graph to both matrices; finite, however far apart
        the scores are.
    """
    # BEGIN SOLUTION softmax_loss (TODO 3 of 6): a score for every word of the vocabulary, then cross-entropy. About 2 lines.
    logits = w_in[pairs[:, 0]] @ w_out  # (P, V)
    return F.cross_entropy(logits, pairs[:, 1])
    # END SOLUTION


def negative_sampling_loss(
    center: torch.Tensor, context: torch.Tensor, negatives: torch.Tensor
) -> torch.Tensor:
    """Loss of k + 1 yes/no questions a pair, summed, then averaged over pairs.

        -log sigmoid(u_o · v_c) - sum over the k negatives of
        log sigmoid(-u_n · v_c)

    Args:
        center: (P, D), v_c.
        context: (P, D), u_o of the true neighbour.
        negatives: (P, k, D), u_n of k random words.

    Returns:
        0-d tensor with a graph to all three; at zero vectors it is
        (k + 1) ln 2, and it is finite for scores of any size.
    """
    # BEGIN SOLUTION negative_sampling_loss (TODO 4 of 6): one score for the neighbour, k for the negatives; F.logsigmoid. About 4 lines.
    positive = (center * context).sum(-1)  # (P,)
    # (P, k, D) @ (P, D, 1) -> (P, k)
    negative = (negatives @ center.unsqueeze(-1)).squeeze(-1)
    each = -F.logsigmoid(positive) - F.logsigmoid(-negative).sum(-1)
    return each.mean()
    # END SOLUTION


def nearest(
    vectors: torch.Tensor, index: int, k: int
) -> tuple[torch.Tensor, torch.Tensor]:
    """The k words nearest to one word by cosine, best first, without itself.

    Args:
        vectors: (V, D), of any lengths; two words may point the same way.
        index: the word.
        k: at most V - 1.

    Returns:
        ids: (k,) int64.
        cosines: (k,) cosine similarities, decreasing.
    """
    # BEGIN SOLUTION nearest (TODO 5 of 6): unit vectors first; the word itself must not win. About 5 lines.
    unit = F.normalize(vectors, dim=1)
    cosines = unit @ unit[index]
    cosines[index] = -torch.inf
    best = cosines.topk(k)
    return best.indices, best.values
    # END SOLUTION


def analogy(vectors: torch.Tensor, a: int, b: int, c: int) -> int:
    """Answer "a is to b as c is to ...": the word nearest to v_b - v_a + v_c.

    Nearest by cosine, among all words but a, b and c (man, king, woman -> ?).

    Args:
        vectors: (V, D), V at least 4.
        a, b, c: three different words.

    Returns:
        The id of the answer, an int, no tensor.
    """
    # BEGIN SOLUTION analogy (TODO 6 of 6): arithmetic on the vectors as they are, then cosines. About 4 lines.
    target = vectors[b] - vectors[a] + vectors[c]
    cosines = F.normalize(vectors, dim=1) @ F.normalize(target, dim=0)
    cosines[[a, b, c]] = -torch.inf
    return int(cosines.argmax())
    # END SOLUTION
