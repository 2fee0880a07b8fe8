"""numpy where no gradient is asked for, nn.Embedding-like layers elsewhere."""

import numpy as np
import torch
from torch import nn


class Scorer(nn.Module):
    """Sums the losses of yes/no questions."""

    def forward(self, u, v, yes):
        score = torch.sum(u * v, dim=-1)
        return nn.functional.logsigmoid(score if yes else -score).neg()


def window_pairs(ids, window):
    words = ids.numpy()
    blocks = []
    for i in range(words.size):
        near = np.r_[words[max(i - window, 0) : i], words[i + 1 : i + 1 + window]]
        blocks.append(np.c_[np.full_like(near, words[i]), near])
    return torch.from_numpy(np.concatenate(blocks).astype(np.int64))


def one_hot_lookup(ids, weight):
    one_hot = weight.new_zeros(ids.shape[0], weight.shape[0])
    one_hot.scatter_(1, ids.unsqueeze(1), 1.0)
    return (weight.t() @ one_hot.t()).t()


def softmax_loss(w_in, w_out, pairs):
    hidden = nn.functional.embedding(pairs[:, 0], w_in)
    return nn.CrossEntropyLoss()(nn.functional.linear(hidden, w_out.T), pairs[:, 1])


def negative_sampling_loss(center, context, negatives):
    ask = Scorer()
    yes = ask(context, center, True)
    no = ask(negatives, center[:, None].expand_as(negatives), False)
    return (yes + no.sum(dim=1)).sum() / len(yes)


def nearest(vectors, index, k):
    v = vectors.detach().numpy()
    cosine = v @ v[index] / (np.linalg.norm(v, axis=1) * np.linalg.norm(v[index]))
    order = [i for i in np.argsort(-cosine, kind="stable") if i != index][:k]
    return torch.tensor(order), torch.from_numpy(cosine[order])


def analogy(vectors, a, b, c):
    v = vectors.detach().numpy()
    cosine = v @ (v[b] - v[a] + v[c]) / np.linalg.norm(v, axis=1)
    cosine[[a, b, c]] = np.nan
    return int(np.nanargmax(cosine))
