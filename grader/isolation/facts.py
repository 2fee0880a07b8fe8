"""What was found out about this host."""

from __future__ import annotations

from typing import Any

import msgspec


class Missing(msgspec.Struct, frozen=True):
    """Something that a higher level would need: what, why not, how to get it."""

    level: str
    why: str
    remedy: str

    def text(self) -> str:
        """One clause, for a message."""
        return f"{self.level}: {self.why} ({self.remedy})"


class Probe(msgspec.Struct, frozen=True):
    """What this host gives.

    ``ways`` holds, for each level that worked, what its plan must say.
    """

    level: str
    ways: dict[str, dict[str, Any]]
    rests_on: list[str]
    missing: list[Missing]
    warnings: list[str]
    landlock_abi: int = 0
