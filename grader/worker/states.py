"""Both sides: the parameters of a module as one tensor for each dtype.

A message pays for each tensor, however small; a recurrent layer has up to
sixteen for each of its layers.
"""

from __future__ import annotations

from typing import Any

MOST = 1024  # names


def pack(state: dict[str, Any]) -> Any:
    """``state`` as (rows, tensors), or as it is when some value is no tensor.

    Args:
        state: name -> tensor or None.

    Returns:
        rows: [name, sizes, tensor's number] for each, None for sizes where there is
            no tensor; tensors: (n,), one for each dtype.
    """
    import torch

    parts: dict[Any, list[Any]] = {}
    rows: list[Any] = []
    for name, value in state.items():
        if value is None:
            rows.append([name, None, 0])
        elif isinstance(value, torch.Tensor) and value.layout is torch.strided:
            same = parts.setdefault(value.dtype, [])
            rows.append([name, list(value.shape), list(parts).index(value.dtype)])
            same.append(value.detach().reshape(-1))
        else:
            return state
    return [rows, [torch.cat(same) for same in parts.values()]]


def unpack(packed: Any) -> dict[str, Any]:
    """What ``pack`` was given; each tensor has a part of the memory to itself.

    Raises:
        ValueError: it is nothing that ``pack`` makes.
    """
    if isinstance(packed, dict):
        return packed
    try:
        rows, tensors = packed
        ends = [0] * len(tensors)
        state: dict[str, Any] = {}
        for name, sizes, number in rows[:MOST]:
            if type(name) is not str or name in state:
                raise ValueError("a name that is none, or stands twice")
            if sizes is None:
                state[name] = None
                continue
            start, count = ends[number], 1
            for n in sizes:
                count *= n
            ends[number] = start + count
            part = tensors[number][start : ends[number]]
            if part.numel() != count or part.dim() != 1:
                raise ValueError("numbers are missing")
            state[name] = part.reshape(sizes)
    except (TypeError, AttributeError, IndexError, RuntimeError, OverflowError) as e:
        raise ValueError(f"no state: {e}") from None
    if len(state) != len(rows) or any(
        end != len(t) for end, t in zip(ends, tensors, strict=True)
    ):
        raise ValueError("more than its rows tell")
    return state


def completed(state: dict[str, Any], module: Any) -> dict[str, Any]:
    """``state`` with what ``module`` itself knows: its buffers, and other names.

    A layer that also stands in a list has two names, and a buffer for a constant is
    no weight: who loads weights by the names of the task need not know of them.
    """
    import torch

    # torch's own: a module may have one that takes no arguments.
    held = torch.nn.Module.state_dict(module, keep_vars=True)
    given = {id(held[name]): value for name, value in state.items() if name in held}
    more = {
        name: given.get(id(own), own)
        for name, own in held.items()
        if name not in state
        and (id(own) in given or not isinstance(own, torch.nn.Parameter))
    }
    return {**state, **more}
