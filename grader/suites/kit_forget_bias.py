"""Runs in the worker: helpers that the suites of forget_bias ask for."""

import torch
from torch import nn


def sgd(module: nn.Module, lr: float) -> torch.optim.SGD:
    """Plain gradient descent on the parameters that ``module`` has now."""
    return torch.optim.SGD(module.parameters(), lr=lr)


def step(optimizer: torch.optim.Optimizer) -> None:
    """One step on the gradients that are there."""
    optimizer.step()
