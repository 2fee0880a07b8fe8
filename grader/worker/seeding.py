"""Runs beside student code: what must be equal before equal work.

Equal work gets equal draws, whatever ran before it. numpy and torch do not
reseed themselves after a fork. ``torch.default_generator`` costs 1 µs where
``torch.manual_seed`` costs 2 ms in a fresh fork.
"""

from __future__ import annotations

import random
import sys


def seed_everything(seed: int) -> None:
    """Seed ``random``, and numpy and torch where they are imported."""
    random.seed(seed)
    torch, numpy = sys.modules.get("torch"), sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(seed % 2**32)
    if torch is not None:
        torch.default_generator.manual_seed(seed)


def as_new() -> None:
    """What an earlier exercise may have set, as a fresh process has it.

    Only for a process that serves several exercises, on one's own machine.
    """
    torch, numpy = sys.modules.get("torch"), sys.modules.get("numpy")
    if numpy is not None:
        numpy.seterr(divide="warn", over="warn", under="ignore", invalid="warn")
    if torch is not None:
        torch.autograd.set_detect_anomaly(False)
        torch.set_default_dtype(torch.float32)
        torch.set_default_device(None)
        torch.use_deterministic_algorithms(False)
        torch.set_num_threads(1)
