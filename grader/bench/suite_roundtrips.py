"""A suite that only measures: what one call across the boundary costs."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
import torch

from grader.bench.figures import each

pytestmark = pytest.mark.exercise("echo")


@pytest.mark.points(100)
@pytest.mark.budget(100.0)
def check_round_trips(student: Any) -> None:
    """Calls of several sizes are timed."""
    small = torch.ones(4, 8)
    leaf = torch.ones(4, 8, requires_grad=True)
    large = torch.ones(512, 512)  # 1 MiB

    def forward_backward() -> None:
        student.double(leaf).backward(small)

    found = {
        "empty call": each(400, student.nothing),
        "4x8 float32 in and out": each(200, lambda: student.double(small)),
        "4x8 float32, forward and backward": each(100, forward_backward),
        "1 MiB in and out": each(10, lambda: student.double(large)),
    }
    Path(os.environ["BENCH_ROUNDTRIPS"]).write_text(json.dumps(found))
