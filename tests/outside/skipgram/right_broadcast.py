"""No loop: distances of all places; logsumexp; softplus; topk after the word is cut."""

import torch
import torch.nn.functional as F


def window_pairs(ids, window):
    place = torch.arange(len(ids))
    gap = (place[:, None] - place).abs()
    i, j = ((gap > 0) & (gap <= window)).nonzero(as_tuple=True)
    return torch.stack([ids[i], ids[j]], dim=1)


def one_hot_lookup(ids, weight):
    hot = ids[:, None] == torch.arange(weight.shape[0])
    return hot.to(weight.dtype) @ weight


def softmax_loss(w_in, w_out, pairs):
    c, o = pairs.unbind(1)
    scores = w_in[c] @ w_out
    return (scores.logsumexp(1) - scores[torch.arange(len(o)), o]).mean()


def negative_sampling_loss(center, context, negatives):
    good = torch.einsum("pd,pd->p", center, context)
    bad = torch.einsum("pd,pkd->pk", center, negatives)
    return (F.softplus(-good) + F.softplus(bad).sum(-1)).mean()


def nearest(vectors, index, k):
    unit = vectors / vectors.norm(dim=1, keepdim=True)
    others = torch.cat([torch.arange(index), torch.arange(index + 1, len(vectors))])
    best = (unit[others] @ unit[index]).topk(k)
    return others[best.indices], best.values


def analogy(vectors, a, b, c):
    target = vectors[b] - vectors[a] + vectors[c]
    cosine = F.cosine_similarity(vectors, target[None], dim=1)
    cosine[torch.tensor([a, b, c])] = -torch.inf
    return int(cosine.argmax())
