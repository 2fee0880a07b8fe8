"""``doctor``: what this machine can do."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

from grader.isolation import doctor


def run(root: Path, student: bool, json: bool) -> int:
    """Print facts of this host; always 0."""
    if student:
        print(doctor.student_block(root))
        return 0
    facts = doctor.examine()
    if json:
        sys.stdout.buffer.write(msgspec.json.encode(facts) + b"\n")
    else:
        print("\n".join(doctor.lines(facts)))
    return 0
