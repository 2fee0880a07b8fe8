import torch


def safe_exp(x):
    return torch.exp(x - x.max())
