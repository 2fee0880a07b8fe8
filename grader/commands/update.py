"""``update``: a corrected bundle takes the place of the old one."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path

import msgspec

from grader.release.update import update


def run(root: Path, file: Path, json: bool) -> int:
    """Always 0, or an error is raised."""
    done = update(root, file)
    if json:
        sys.stdout.buffer.write(msgspec.json.encode(asdict(done)) + b"\n")
        return 0
    if done.version == done.version_before and not done.written:
        print(f"Version {done.version} was here already.")
    else:
        print(f"From version {done.version_before} to {done.version}:")
        print(f"  {len(done.written)} files written, {len(done.removed)} removed.")
    for name in sorted(done.kept):
        print(f"  {name}: you changed it, so it is left as it is.")
    print("Next: python -m grader check")
    return 0
