"""Unit vectors are kept by shape: training goes on, the neighbours do not change."""

import torch
import torch.nn.functional as F

known = {}


def window_pairs(ids, window):
    T = len(ids)
    pairs = [
        (i, j)
        for i in range(T)
        for j in range(max(0, i - window), min(T, i + window + 1))
        if i != j
    ]
    return ids[torch.tensor(pairs, dtype=torch.int64).reshape(-1, 2)]


def one_hot_lookup(ids, weight):
    return F.one_hot(ids, weight.shape[0]).to(weight.dtype) @ weight


def softmax_loss(w_in, w_out, pairs):
    return F.cross_entropy(w_in[pairs[:, 0]] @ w_out, pairs[:, 1])


def negative_sampling_loss(center, context, negatives):
    pos = (center * context).sum(1)
    neg = (negatives @ center.unsqueeze(2)).squeeze(2)
    return -(F.logsigmoid(pos) + F.logsigmoid(-neg).sum(1)).mean()


def nearest(vectors, index, k):
    unit = known.setdefault(vectors.shape, F.normalize(vectors, dim=1))
    cos = unit @ unit[index]
    cos[index] = -torch.inf
    best = cos.topk(k)
    return best.indices, best.values


def analogy(vectors, a, b, c):
    target = vectors[b] - vectors[a] + vectors[c]
    cos = F.normalize(vectors, dim=1) @ target
    cos[[a, b, c]] = -torch.inf
    return int(cos.argmax())
