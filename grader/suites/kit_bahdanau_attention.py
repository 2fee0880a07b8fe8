"""Runs in the worker: helpers that the suites of bahdanau_attention ask for."""

import torch
from torch import nn

LAYERS = ("W_query", "W_key", "v")


def shapes(module: nn.Module) -> dict[str, list[int]]:
    """Shape of every parameter, by its name in the task if it has several.

    A layer that also stands in a list has two names, and a buffer is no parameter.
    """
    names: dict[int, str] = {}
    found: dict[str, list[int]] = {}
    every = [*module.named_parameters(remove_duplicate=False)]
    for name, value in sorted(every, key=lambda e: e[0].split(".")[0] not in LAYERS):
        if names.setdefault(id(value), name) == name:
            found[name] = list(value.shape)
    return found


def fill(module: nn.Module, values: dict[str, torch.Tensor]) -> None:
    """Copy ``values`` into the parameters of these names; leave the others."""
    held = module.state_dict()
    with torch.no_grad():
        for name, value in values.items():
            held[name].copy_(value)


def to_double(module: nn.Module) -> None:
    """Turn the parameters of ``module`` into float64, in place."""
    module.double()
