import torch


def masked_softmax(scores, mask, dim=-1):
    if mask is None:
        return scores.softmax(dim)
    top = scores.masked_fill(mask, float("-inf")).amax(dim, keepdim=True)
    top = torch.where(torch.isinf(top), torch.zeros_like(top), top)
    e = torch.exp(torch.where(mask, torch.zeros_like(scores), scores - top))
    e = e * (~mask)
    total = e.sum(dim, keepdim=True)
    return e / torch.where(total == 0, torch.ones_like(total), total)
