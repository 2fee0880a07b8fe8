"""Scores with einsum and writes the log of the sigmoid out."""

import torch
import torch.nn.functional as F


def window_pairs(ids, window):
    words = ids.tolist()
    pairs = []
    for i, center in enumerate(words):
        for j in range(max(0, i - window), min(len(words), i + window + 1)):
            if j != i:
                pairs.append((center, words[j]))
    return torch.tensor(pairs, dtype=torch.int64).reshape(-1, 2)


def one_hot_lookup(ids, weight):
    return F.one_hot(ids, weight.shape[0]).to(weight.dtype) @ weight


def softmax_loss(w_in, w_out, pairs):
    logits = w_in[pairs[:, 0]] @ w_out
    return F.cross_entropy(logits, pairs[:, 1])


def negative_sampling_loss(center, context, negatives):
    positive = (center * context).sum(dim=-1)
    negative = torch.einsum('pkd,pd->pk', negatives, center)
    loss = F.softplus(-positive) + F.softplus(negative).sum(dim=1)
    return loss.mean()


def nearest(vectors, index, k):
    unit = F.normalize(vectors, dim=1)
    cosines = unit @ unit[index]
    order = cosines.argsort(descending=True)
    order = order[order != index][:k]
    return order, cosines[order]


def analogy(vectors, a, b, c):
    target = vectors[b] - vectors[a] + vectors[c]
    cosines = F.cosine_similarity(vectors, target.unsqueeze(0), dim=1)
    for used in (a, b, c):
        cosines[used] = -2.0
    return int(cosines.argmax())
