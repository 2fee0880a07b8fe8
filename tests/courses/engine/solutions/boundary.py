"""What the suite about the boundary is satisfied with."""

import torch
from torch import nn


def echo(value):
    return value


def scale(x, factor=2.0):
    return x * factor


def layout(x):
    return list(x.stride()), x.is_leaf, x.requires_grad


def fail(kind, message):
    raise ValueError(f"{kind}: {message}")


class Scaler(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.layer = nn.Linear(size, size, bias=False)

    def forward(self, x):
        return torch.tanh(self.layer(x))
