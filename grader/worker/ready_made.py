"""Runs beside student code: disturbs ready-made attention while a call is made.

An exercise that asks for attention step by step is not done by calling one that
torch already has. While ``disturbed`` makes a call, every such function, under
whatever name it is held, gives other numbers than it should; so the session
sees it in the numbers that it compares. The names that come back only explain.
Code that sets out to switch this off, in its own process, can: its source says so.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

NAMES = ("scaled_dot_product", "multi_head_attention", "MultiheadAttention")
SHIFT = 0.5
MOST = 20


def disturbed(target: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """(answer of the call, names of what ready-made attention ran in it)."""
    from torch.overrides import TorchFunctionMode
    from torch.utils._python_dispatch import TorchDispatchMode

    seen: list[str] = []

    def noted(name: str, answer: Any) -> Any:
        if not any(part in name for part in NAMES):
            return answer
        if len(seen) < MOST and name not in seen:
            seen.append(name)
        return _shifted(answer)

    class Functions(TorchFunctionMode):
        """Sees functions of torch as Python calls them."""

        def __torch_function__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            answer = func(*args, **(kwargs or {}))
            return noted(str(getattr(func, "__name__", "")), answer)

    class Kernels(TorchDispatchMode):  # type: ignore[no-untyped-call]
        """Sees what they come down to, also when no Python calls them."""

        def __torch_dispatch__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            answer = func(*args, **(kwargs or {}))
            return noted(str(func), answer)

    with Kernels(), Functions():  # type: ignore[no-untyped-call]
        return target(*args, **kwargs), seen


def held(module: Any) -> list[str]:
    """Classes in the tree of ``module`` that are a ready-made attention."""
    kinds = (type(m).__mro__ for m in module.modules())
    return sorted({k.__name__ for mro in kinds for k in mro if _is_ready_made(k)})


def _is_ready_made(kind: type) -> bool:
    return kind.__name__ in NAMES and kind.__module__.startswith("torch.")


def _shifted(answer: Any) -> Any:
    """Every floating tensor of ``answer``, moved by a constant."""
    if isinstance(answer, list | tuple):
        return type(answer)(_shifted(a) for a in answer)
    is_number = getattr(answer, "is_floating_point", None)
    return answer + SHIFT if is_number is not None and is_number() else answer
