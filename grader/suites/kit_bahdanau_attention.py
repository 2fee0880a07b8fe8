"""Runs in the worker: helpers that the suites of bahdanau_attention ask for."""

import torch
from torch import nn


def shapes(module: nn.Module) -> dict[str, list[int]]:
    """Shape of every parameter and buffer, by name."""
    return {name: list(value.shape) for name, value in module.state_dict().items()}


def fill(module: nn.Module, values: dict[str, torch.Tensor]) -> None:
    """Copy ``values`` into the parameters of these names; leave the others."""
    held = module.state_dict()
    with torch.no_grad():
        for name, value in values.items():
            held[name].copy_(value)


def to_double(module: nn.Module) -> None:
    """Turn the parameters of ``module`` into float64, in place."""
    module.double()
