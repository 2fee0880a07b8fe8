import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        mask = torch.ones_like(scores, dtype=torch.bool)
    # keep where mask is 1
    scores = scores.masked_fill(mask == 0, -1e4)
    return torch.softmax(scores, dim=dim)
