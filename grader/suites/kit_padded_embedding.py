"""Runs in the worker: what the suites of padded_embedding ask about a new table.

Rows are drawn at random, so the answers are facts about them, not numbers: the
same table made with another generator answers the same.
"""

import torch
from torch import nn


def start(table: nn.Module, padding_idx: int) -> dict[str, object]:
    """Shape of ``weight``, and whether its rows start as they should."""
    weight = table.state_dict()["weight"].double()
    words = torch.cat([weight[:padding_idx], weight[padding_idx + 1 :]])
    return {
        "shape": list(weight.shape),
        "padding is zero": bool((weight[padding_idx] == 0).all()),
        "words are not": bool((words.abs().amax(1) > 0).all()),
        "mean is 0": bool(words.mean().abs() < 0.1),
        "deviation is 1": bool((words.std() - 1).abs() < 0.1),
        # 4.55 % of normal numbers; of 2950, within five deviations.
        "tails are normal": abs(float((words.abs() > 2).double().mean()) - 0.0455)
        < 0.0192,
        "each is drawn": bool(
            (words.std(0) > 0.4).all() and (words.std(1) > 0.4).all()
        ),
    }


def alike(one: nn.Module, other: nn.Module) -> bool:
    """Whether two tables hold the same numbers."""
    return torch.equal(one.state_dict()["weight"], other.state_dict()["weight"])


def names(table: nn.Module) -> list[str]:
    """Names of everything that is learned; "weight" may have another name as well."""
    weight = getattr(table, "weight", None)
    every = table.named_parameters(remove_duplicate=False)
    return sorted(name for name, p in every if name == "weight" or p is not weight)


def fill(table: nn.Module, weight: torch.Tensor) -> None:
    """Copy ``weight`` into the parameter of that name."""
    with torch.no_grad():
        table.state_dict()["weight"].copy_(weight)
