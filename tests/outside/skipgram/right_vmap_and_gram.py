"""vmap over the pairs; the full similarity matrix; itertools for the pairs; anomaly detection on."""
import itertools

import torch
import torch.nn.functional as F
from torch.func import vmap

torch.autograd.set_detect_anomaly(True)


def window_pairs(ids, window):
    pairs = [
        torch.stack((ids[i], ids[j]))
        for i, j in itertools.permutations(range(len(ids)), 2)
        if abs(i - j) <= window
    ]
    return torch.stack(pairs) if pairs else ids.new_empty((0, 2))


def one_hot_lookup(ids, weight):
    return vmap(lambda i: F.one_hot(i, weight.shape[0]).to(weight.dtype) @ weight)(ids)


def softmax_loss(w_in, w_out, pairs):
    scores = vmap(torch.mv, in_dims=(None, 0))(w_out.T, w_in[pairs[:, 0]])
    return F.nll_loss(scores.log_softmax(-1), pairs[:, 1])


def negative_sampling_loss(center, context, negatives):
    def one(v, u, n):
        return -F.logsigmoid(u @ v) - F.logsigmoid(-(n @ v)).sum()

    return vmap(one)(center, context, negatives).mean()


def nearest(vectors, index, k):
    unit = vectors / vectors.pow(2).sum(1, keepdim=True).sqrt()
    gram = (unit @ unit.mT).fill_diagonal_(-9)
    cosines, ids = gram[index].sort(descending=True)
    return ids[:k], cosines[:k]


def analogy(vectors, a, b, c):
    target = vectors[c] + (vectors[b] - vectors[a])
    unit = vectors / vectors.norm(dim=1, keepdim=True)
    cosines = unit @ target
    mask = torch.zeros(len(vectors), dtype=torch.bool)
    mask[[a, b, c]] = True
    return torch.argmax(cosines.masked_fill(mask, float("-inf"))).item()
