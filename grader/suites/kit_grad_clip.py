"""Runs in the worker: a model whose gradients the suites of grad_clip set."""

import torch
from torch import nn


class Shapes(nn.Module):
    """Parameters ``p0``, ``p1``, ... of given shapes, in a nested module."""

    def __init__(self, shapes: list[list[int]]) -> None:
        super().__init__()
        self.inner = nn.Module()
        for index, shape in enumerate(shapes):
            parameter = nn.Parameter(torch.full(tuple(shape), 0.5))
            owner = self if index % 2 == 0 else self.inner
            owner.register_parameter(f"p{index}", parameter)


class Tied(nn.Module):
    """Two layers that share one weight, and a parameter of the model's own."""

    def __init__(self, size: int, width: int) -> None:
        super().__init__()
        self.own = nn.Parameter(torch.full((size,), 0.5))
        self.first = nn.Linear(width, width, bias=False)
        self.second = nn.Linear(width, width, bias=False)
        self.second.weight = self.first.weight


def set_grads(model: nn.Module, grads: dict[str, torch.Tensor | None]) -> None:
    """Put ``grads`` (by parameter name) in place of what is there."""
    for name, parameter in model.named_parameters():
        grad = grads[name]
        parameter.grad = None if grad is None else grad.clone()
