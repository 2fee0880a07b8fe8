import torch


def masked_softmax(scores, mask, dim=-1):
    total = torch.zeros(1)
    i = 0
    while i < scores.size(dim):
        total = total + scores.select(dim, i).exp().sum()
        # forgot i += 1
    return scores.exp() / total
