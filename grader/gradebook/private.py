"""Warnings that only a TA may read, told apart by how they begin."""

from __future__ import annotations

TA_ONLY = "For the TA: "
ABSENT = "absent"  # setting: ids whose hand-in was not there when it was last read
ABSENT_WARNING = (
    f"{TA_ONLY}it was not in the hand-ins when they were last read; this row is from "
    "an earlier run."
)
NAMED = 3  # so many ids are written out, the rest is counted


def is_ta_only(warning: str) -> bool:
    """True when a student's edition must leave this warning out."""
    return warning.startswith(TA_ONLY)


def identical_warning(others: list[str]) -> str:
    """The sentence for a hand-in whose bytes equal those of ``others``."""
    named = ", ".join(others[:NAMED])
    rest = len(others) - NAMED
    more = f" and {rest} more" if rest > 0 else ""
    return f"{TA_ONLY}every file is identical to those of {named}{more}; graded once."


def stale_warning(status: str, run_id: int) -> str:
    """The sentence for a score that outlived a later run without one."""
    why = {
        "grader_error": "ended in a grader error",
        "missing": "found nothing handed in",
    }[status]
    return f"{TA_ONLY}run {run_id} {why}; the earlier score is kept."
