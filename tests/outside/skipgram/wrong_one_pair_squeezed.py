"""squeeze() of the scores: one pair alone loses its axis."""

import torch
import torch.nn.functional as F


def window_pairs(ids, window):
    pairs = [
        (int(ids[i]), int(ids[j]))
        for i in range(len(ids))
        for j in range(max(0, i - window), min(len(ids), i + window + 1))
        if i != j
    ]
    return torch.tensor(pairs, dtype=torch.int64).reshape(-1, 2)


def one_hot_lookup(ids, weight):
    one_hot = F.one_hot(ids, weight.shape[0]).to(weight.dtype)
    return one_hot @ weight


def softmax_loss(w_in, w_out, pairs):
    logits = (w_in[pairs[:, 0]] @ w_out).squeeze()
    return F.cross_entropy(logits, pairs[:, 1])


def negative_sampling_loss(center, context, negatives):
    positive = (center * context).sum(-1)
    negative = (negatives @ center.unsqueeze(-1)).squeeze(-1)
    each = -F.logsigmoid(positive) - F.logsigmoid(-negative).sum(-1)
    return each.mean()


def nearest(vectors, index, k):
    unit = F.normalize(vectors, dim=1)
    cosines = unit @ unit[index]
    cosines[index] = -torch.inf
    best = cosines.topk(k)
    return (best.indices, best.values)


def analogy(vectors, a, b, c):
    target = vectors[b] - vectors[a] + vectors[c]
    cosines = F.normalize(vectors, dim=1) @ F.normalize(target, dim=0)
    cosines[[a, b, c]] = -torch.inf
    return int(cosines.argmax())
