"""``update``: a corrected bundle takes the place of the old one."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path

import msgspec

from grader.lang import _
from grader.release.update import update


def run(root: Path, file: Path, json: bool) -> int:
    """Always 0, or an error is raised."""
    done = update(root, file)
    if json:
        sys.stdout.buffer.write(msgspec.json.encode(asdict(done)) + b"\n")
        return 0
    if done.version == done.version_before and not done.written:
        print(_("Version {version} was here already.", version=done.version))
    else:
        old, new = done.version_before, done.version
        print(_("From version {old} to {new}:", old=old, new=new))
        counts = {"written": len(done.written), "removed": len(done.removed)}
        print(_("  {written} files written, {removed} removed.", **counts))
    for name in sorted(done.kept):
        print(_("  {name}: you changed it, so it is left as it is.", name=name))
    print(_("Next: {command}", command="python -m grader check"))
    return 0
