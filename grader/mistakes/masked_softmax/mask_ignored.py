"""Never looks at the mask."""

import torch


def masked_softmax(scores, mask, dim=-1):
    return torch.softmax(scores, dim=dim)
