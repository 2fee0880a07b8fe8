"""Pairs offset by offset, gathered logits, cosine_similarity and topk of k + 1."""

import torch
import torch.nn.functional as F


def window_pairs(ids, window):
    parts = []
    for offset in range(1, min(window, len(ids) - 1) + 1):
        forth = torch.stack([ids[:-offset], ids[offset:]], dim=1)
        parts += [forth, forth.flip(1)]
    return torch.cat(parts) if parts else ids.new_zeros(0, 2)


def one_hot_lookup(ids, weight):
    columns = torch.arange(len(weight))
    return (ids[:, None] == columns).to(weight) @ weight


def softmax_loss(w_in, w_out, pairs):
    center, context = pairs.unbind(1)
    scores = w_in.index_select(0, center).mm(w_out)
    right = scores.gather(1, context[:, None]).squeeze(1)
    return (scores.logsumexp(1) - right).mean()


def negative_sampling_loss(center, context, negatives):
    drawn = torch.cat([-context.unsqueeze(1), negatives], dim=1)
    scores = (drawn * center.unsqueeze(1)).sum(2)
    return F.softplus(scores).sum() / len(center)


def nearest(vectors, index, k):
    cosines = F.cosine_similarity(vectors, vectors[index : index + 1])
    order = cosines.argsort(descending=True).tolist()
    order.remove(index)
    ids = torch.tensor(order[:k])
    return [ids, cosines[ids]]


def analogy(vectors, a, b, c):
    target = vectors[c] + (vectors[b] - vectors[a])
    others = [w for w in range(len(vectors)) if w not in (a, b, c)]
    similar = F.cosine_similarity(vectors[others], target.unsqueeze(0))
    return others[similar.argmax()]
