"""What a submission and its checks may use."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class RunLimits:
    """CPU seconds of a check, an import and a submission; wall factor, memory."""

    check_cpu_s: float = 2.0
    import_cpu_s: float = 10.0
    wall_factor: float = 5.0
    submission_cpu_s: float = 120.0
    memory_mib: int = 2048
    per_check: dict[str, float] = field(default_factory=dict)
    time_factor: float = 1.0  # of the student who needs more time


class Spending:
    """CPU and wall seconds that a whole submission, or a lab of it, has used."""

    def __init__(self, cpu_s: float, wall_s: float) -> None:
        self.cpu_s = cpu_s
        self.cpu_left_s = cpu_s
        self.wall_left_s = wall_s
