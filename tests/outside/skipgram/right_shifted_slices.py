"""Pairs by shifting the sentence against itself; all scores by one matrix product."""

import torch
from torch.nn import functional as F


def window_pairs(ids, window):
    found = [ids.new_empty((0, 2))]
    for gap in range(1, window + 1):
        if gap >= ids.numel():
            break
        right = torch.stack((ids[:-gap], ids[gap:]), -1)
        found += [right, right.flip(1)]
    return torch.cat(found)


def one_hot_lookup(ids, weight):
    return F.one_hot(ids, num_classes=weight.size(0)).type_as(weight).mm(weight)


def softmax_loss(w_in, w_out, pairs):
    table = F.log_softmax(torch.mm(w_in, w_out), dim=1)  # every word with every word
    return -table[pairs[:, 0], pairs[:, 1]].mean()


def negative_sampling_loss(center, context, negatives):
    words = torch.cat([context.unsqueeze(1), negatives], 1)
    scores = (words @ center.unsqueeze(-1)).squeeze(-1)
    label = torch.zeros_like(scores)
    label[:, 0] = 1
    loss = F.binary_cross_entropy_with_logits(scores, label, reduction="sum")
    return loss / center.shape[0]


def nearest(vectors, index, k):
    cosine = F.normalize(vectors, dim=1) @ F.normalize(vectors[index], dim=0)
    order = torch.argsort(cosine, descending=True)
    order = order[order != index][:k]
    return order, cosine[order]


def analogy(vectors, a, b, c):
    target = vectors[b] - vectors[a] + vectors[c]
    ranking = torch.argsort(
        (vectors @ target) / vectors.norm(dim=1), descending=True
    ).tolist()
    return next(w for w in ranking if w not in {a, b, c})
