import torch

print("loading my solution …")


def masked_softmax(scores, mask, dim=-1):
    for i in range(25):
        print("scores", scores)
    if mask is None:
        return torch.softmax(scores, dim)
    fill = -1e9 if scores.dtype in (torch.float32, torch.float64) else -1e4
    return torch.softmax(scores.masked_fill(mask, fill), dim)
