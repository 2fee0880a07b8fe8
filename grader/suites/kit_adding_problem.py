"""Runs in the worker: batches, optimizers and a model of two numbers."""

from collections.abc import Iterator

import torch
from torch import nn


class Line(nn.Module):
    """weight * (mean value of a row) + bias, one answer a row."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(()))
        self.bias = nn.Parameter(torch.zeros(()))

    def forward(self, x, lengths):
        """Answers (B,) for x (B, T, 2)."""
        return self.weight * x[..., 0].mean(dim=1) + self.bias


class Notes:
    """A report that writes down what it is told."""

    def __init__(self) -> None:
        self.told: list[list[float]] = []

    def __call__(self, step, steps, loss) -> None:
        """Write one line down."""
        self.told.append([int(step), int(steps), float(loss)])

    def seen(self) -> list[list[float]]:
        """All lines so far."""
        return self.told


def in_order(batches: list) -> Iterator:
    """These batches, one after the other."""
    return iter([tuple(batch) for batch in batches])


def minibatches(x, lengths, targets, size: int) -> Iterator:
    """Random rows of a pool, without end."""
    x, lengths, targets = x.clone(), lengths.clone(), targets.clone()

    def draw() -> Iterator:
        while True:
            rows = torch.randint(len(x), (size,))
            yield x[rows], lengths[rows], targets[rows]

    return draw()


def adam(model: nn.Module, lr: float) -> torch.optim.Adam:
    """Adam on the parameters of ``model``."""
    return torch.optim.Adam(model.parameters(), lr=lr)


def sgd(model: nn.Module, lr: float) -> torch.optim.SGD:
    """Gradient descent on the parameters of ``model``."""
    return torch.optim.SGD(model.parameters(), lr=lr)
