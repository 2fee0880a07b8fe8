import torch
import torch.nn.functional as F


def masked_softmax(scores, mask, dim=-1):
    scores = scores.masked_fill(mask, -1e9)
    return F.softmax(scores, dim=-1)
