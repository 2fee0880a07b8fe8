"""Runs in the worker: helpers that the suites of scaled_dot_attention ask for."""

import torch
from torch import nn


def shapes(module: nn.Module) -> dict[str, list[int]]:
    """Shape of every parameter and buffer, by name."""
    return {name: list(value.shape) for name, value in module.state_dict().items()}


def fill(module: nn.Module, values: dict[str, torch.Tensor]) -> None:
    """Copy ``values`` into the parameters of these names; the others become 0."""
    held = module.state_dict()
    with torch.no_grad():
        for value in held.values():
            value.zero_()
        for name, value in values.items():
            held[name].copy_(value)
