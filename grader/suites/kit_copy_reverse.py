"""Runs in the worker: batches and optimizers for copy_reverse."""

from collections.abc import Iterator

import torch
from torch import nn


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


def minibatches(source, lengths, targets, size: int) -> Iterator:
    """Random rows of a pool, without end."""
    pool = [part.clone() for part in (source, lengths, targets)]

    def draw() -> Iterator:
        while True:
            rows = torch.randint(len(pool[0]), (size,))
            yield tuple(part[rows] for part in pool)

    return draw()


def adam(model: nn.Module, lr: float) -> torch.optim.Adam:
    """Adam on the parameters of ``model``."""
    return torch.optim.Adam(model.parameters(), lr=lr)


def sgd(model: nn.Module, lr: float, momentum: float = 0.0) -> torch.optim.SGD:
    """Gradient descent on the parameters of ``model``."""
    return torch.optim.SGD(model.parameters(), lr=lr, momentum=momentum)
