"""The full softmax with its backward written out; nearest finds one word at a time."""

import torch
import torch.nn.functional as F


class MeanCrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, scores, target):
        p = scores.softmax(1)
        ctx.save_for_backward(p, target)
        return -scores.log_softmax(1).gather(1, target[:, None]).mean()

    @staticmethod
    def backward(ctx, grad):
        p, target = ctx.saved_tensors
        return grad * (p - F.one_hot(target, p.shape[1])) / len(p), None


def _neighbours(T, i, window):
    yield from range(max(0, i - window), i)
    yield from range(i + 1, min(T, i + window + 1))


def window_pairs(ids, window):
    T = len(ids)
    places = [(i, j) for i in range(T) for j in _neighbours(T, i, window)]
    return ids[torch.tensor(places, dtype=torch.long).reshape(-1, 2)]


def one_hot_lookup(ids, weight):
    hot = torch.eye(weight.shape[0], dtype=weight.dtype)[ids]
    return torch.einsum("nv,vd->nd", hot, weight)


def softmax_loss(w_in, w_out, pairs):
    return MeanCrossEntropy.apply(w_in[pairs[:, 0]] @ w_out, pairs[:, 1])


def negative_sampling_loss(center, context, negatives):
    k = negatives.shape[1]
    pos = F.logsigmoid((center * context).sum(1)).mean()
    neg = F.logsigmoid(-(negatives * center.unsqueeze(1)).sum(2)).mean() * k
    return -(pos + neg)


def nearest(vectors, index, k):
    unit = F.normalize(vectors)
    cosine = unit @ unit[index]
    taken = torch.zeros(len(unit), dtype=torch.bool)
    taken[index] = True
    ids = []
    while len(ids) < k:
        best = cosine.masked_fill(taken, -2.0).argmax()
        taken[best] = True
        ids.append(best)
    ids = torch.stack(ids)
    return ids, cosine[ids]


def analogy(vectors, a, b, c):
    lengths = vectors.square().sum(1).sqrt()
    scores = vectors.matmul(vectors[b] + vectors[c] - vectors[a]) / lengths
    scores = scores.scatter(0, torch.tensor([a, b, c]), float("-inf"))
    return scores.max(0)[1].item()
