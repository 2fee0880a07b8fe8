"""Python loops, one number at a time, and a helper named in Chinese."""

import math

import torch


def 余弦(u, v):
    return float(torch.dot(u, v)) / (math.sqrt(torch.dot(u, u)) * math.sqrt(torch.dot(v, v)))


def window_pairs(ids, window):
    words = [int(w) for w in ids]
    pairs = []
    for i, w in enumerate(words):
        for j, o in enumerate(words):
            if i != j and abs(i - j) <= window:
                pairs.append((w, o))
    return torch.tensor(pairs, dtype=torch.long).view(-1, 2)


def one_hot_lookup(ids, weight):
    matrix = torch.zeros(len(ids), len(weight), dtype=weight.dtype)
    for n, i in enumerate(ids):
        matrix[n, i] = 1
    return torch.matmul(matrix, weight)


def softmax_loss(w_in, w_out, pairs):
    total = 0
    for c, o in pairs:
        scores = w_in[c] @ w_out
        total = total - torch.log_softmax(scores, 0)[o]
    return total / len(pairs)


def negative_sampling_loss(center, context, negatives):
    losses = []
    for v, u, noise in zip(center, context, negatives):
        loss = -torch.nn.functional.logsigmoid(u @ v)
        for n in noise:
            loss = loss - torch.nn.functional.logsigmoid(-(n @ v))
        losses.append(loss)
    return torch.stack(losses).mean()


def nearest(vectors, index, k):
    scored = [(余弦(v, vectors[index]), i) for i, v in enumerate(vectors) if i != index]
    scored.sort(key=lambda pair: -pair[0])
    best = scored[:k]
    ids = torch.tensor([i for _, i in best])
    return ids, torch.tensor([s for s, _ in best], dtype=vectors.dtype)


def analogy(vectors, a, b, c):
    target = vectors[b] - vectors[a] + vectors[c]
    rest = set(range(len(vectors))) - {a, b, c}
    return max(rest, key=lambda w: 余弦(vectors[w], target))
