"""One cage for all tests of the lock-down, and one zygote for each kind of run."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cage
import pytest


@pytest.fixture(scope="session")
def built() -> Iterator[cage.Cage]:
    # Not tmp_path: its parents are closed to other users. Not below /tmp, so that
    # the jail can make /tmp a name of the scratch.
    with tempfile.TemporaryDirectory(prefix="cage-", dir="/var/tmp") as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield cage.Cage(folder)


@pytest.fixture(scope="session")
def run_in(built: cage.Cage) -> Callable[..., cage.Run]:
    """``run_in(who, level, **options)``: run it once; skip what the host lacks."""
    runs: dict[object, cage.Run] = {}

    def run(who: str, level: str, **options: Any) -> cage.Run:
        if reason := cage.why_not(who):
            pytest.skip(reason)
        key = (who, level, repr(sorted(options.items())))
        if key not in runs:
            runs[key] = built.run(who, level, **options)
        if runs[key].unavailable:
            pytest.skip(f"this host does not give {level}: {runs[key].unavailable}")
        return runs[key]

    return run
