"""What was seen of one exercise."""

from __future__ import annotations

import msgspec

ALIKE = " | "
REFERENCE, VARIANTS, SKELETON = RIGHT = ("(reference)", "(variants)", "(skeleton)")


class Tally(msgspec.Struct):
    """What was seen of one exercise; ``faults`` and ``notes`` are sentences."""

    exercise: str
    checks: int = 0
    reference: int = 0
    skeleton: int = 0
    variants: int = 0
    variants_right: int = 0
    mistakes: int = 0
    mistakes_caught: int = 0
    mistakes_named: int = 0
    mistakes_one_of: int = 0
    named_falsely: int = 0
    mutants: int = 0
    mutants_killed: int = 0
    # What was graded -> what it was named as -> how often. A mistake among
    # several that behave alike is named "a | b"; "" is no name at all.
    confusion: dict[str, dict[str, int]] = msgspec.field(default_factory=dict)
    seeds: int = 0
    faults: list[str] = msgspec.field(default_factory=list)
    notes: list[str] = msgspec.field(default_factory=list)

    @property
    def sound(self) -> bool:
        """Nothing to complain about."""
        return not self.faults

    @property
    def alike(self) -> list[str]:
        """Mistakes that nothing which was asked tells apart, as "a | b"."""
        names = {name for named in self.confusion.values() for name in named}
        return sorted(n for n in names if ALIKE in n)

    @property
    def unnamed(self) -> list[str]:
        """Mistakes that were not recognised for some seed."""
        return sorted(
            truth
            for truth, named in self.confusion.items()
            if "" in named and truth not in RIGHT
        )
