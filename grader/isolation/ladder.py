"""The levels, and the plan that a zygote gets for one of them.

The plan is all that the student side knows about its own cage; it is made here
from facts of this host, never from a course file or a submission.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.errors import IsolationError

if TYPE_CHECKING:
    from grader.isolation.facts import Probe

LEVELS = ("full", "partial", "minimal", "none")
SCRATCH = "/scratch"
SCRATCH_MIB, SHM_MIB = 64, 16
PACKAGE = Path(__file__).resolve().parents[1]

# The system's part: libraries to load late, time zones, translations.
SYSTEM = (
    "/lib",
    "/lib32",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/usr/share/zoneinfo",
    "/usr/share/locale",
    "/etc/ld.so.cache",
    "/etc/localtime",
)
# Distributions whose libraries lie all over one store.
STORES = ("/nix/store", "/gnu/store")


def worker_code() -> list[Path]:
    """Our own files that the student side runs: file by file, nothing else."""
    return [PACKAGE / "__init__.py", PACKAGE / "wire", PACKAGE / "worker"]


def course_secrets() -> list[Path]:
    """Suites, mistakes, solutions and quiz of this repository."""
    inside = [PACKAGE / "suites", PACKAGE / "mistakes"]
    beside = ("solutions", "variants", "quiz")
    return [*inside, *(PACKAGE.parent / name for name in beside)]


def _python_paths() -> list[str]:
    """The interpreter's library and its site-packages, not their parents.

    A virtual environment may be made in the very folder that holds the course,
    so its prefix as a whole is never allowed.
    """
    paths = [
        sysconfig.get_path(name)
        for name in ("stdlib", "platstdlib", "purelib", "platlib")
    ]
    for prefix in {sys.base_prefix, sys.base_exec_prefix, sys.prefix, sys.exec_prefix}:
        if prefix not in ("/", "/usr"):
            paths += [f"{prefix}/{name}" for name in ("lib", "lib64", "share/zoneinfo")]
        paths += [store for store in STORES if prefix.startswith(store)]
    return paths


def _is_below(path: str, top: str) -> bool:
    return path == top or path.startswith(top.rstrip("/") + "/")


def read_allow_list(
    code_paths: Iterable[str | Path] | None = None,
    *,
    hidden: Iterable[str | Path] | None = None,
) -> list[str]:
    """All that a worker may read, as paths that exist.

    Args:
        code_paths: the worker's own code; None: ``worker_code()``.
        hidden: what must stay out of reach; None: ``course_secrets()``.

    Returns:
        Sorted paths; names that reach their place over a link are kept beside
        the place itself.

    Raises:
        IsolationError: an allowed path would show a hidden one.
    """
    code = worker_code() if code_paths is None else code_paths
    wanted = {*SYSTEM, *_python_paths(), *(os.path.abspath(path) for path in code)}
    allowed = {path for path in wanted if os.path.exists(path)}
    allowed |= {os.path.realpath(path) for path in allowed}
    secrets = course_secrets() if hidden is None else hidden
    for secret in map(os.path.realpath, filter(os.path.exists, secrets)):
        for top in allowed:
            if _is_below(secret, os.path.realpath(top)):
                raise IsolationError(
                    f"a worker could read {secret}: it lies in {top}, which the "
                    "interpreter needs. Move the course out of there."
                )
    return sorted(allowed)


def plan_for(
    level: str,
    probe: Probe,
    *,
    code_paths: Iterable[str | Path] | None = None,
    hidden: Iterable[str | Path] | None = None,
) -> dict[str, Any]:
    """The plan of a level, as plain data for the zygote.

    Args:
        level: one of ``LEVELS``.
        probe: what this host gives.
        code_paths: see ``read_allow_list``.
        hidden: see ``read_allow_list``.

    Raises:
        IsolationError: this host does not give that level.
    """
    paths = read_allow_list(code_paths, hidden=hidden)
    plan = base_plan(paths) | {"level": level}
    if level == "none":
        return plan
    if level not in LEVELS:
        raise IsolationError(
            f"there is no isolation level {level!r}: {', '.join(LEVELS)}"
        )
    way = probe.ways.get(level)
    if way is None:
        reason = "; ".join(m.text() for m in probe.missing) or "the probe failed"
        raise IsolationError(f"this host does not give the level {level}: {reason}")
    return plan | way


def base_plan(paths: list[str]) -> dict[str, Any]:
    """A plan before the host's facts: no identity, no layer chosen."""
    return {
        "level": "none",
        "uid": None,
        "gid": None,
        "userns": False,
        "landlock": False,
        "nproc": False,
        "read_paths": paths,
        "scratch": SCRATCH,
        "scratch_mib": SCRATCH_MIB,
        "shm_mib": SHM_MIB,
    }


def choose(wanted: str | None, probe: Probe) -> str:
    """The level to run with.

    Args:
        wanted: a level asked for, or None or "auto" for the best there is.
        probe: what this host gives.

    Raises:
        IsolationError: nothing but "none" is to be had and nobody asked for it,
            or the level asked for is not to be had.
    """
    if wanted == "none":
        return "none"
    if wanted in (None, "auto"):
        if probe.level == "none":
            reasons = "; ".join(m.text() for m in probe.missing)
            raise IsolationError(
                f"this host cannot isolate student code: {reasons}. To run it with "
                "your own rights all the same, say --isolation none."
            )
        return probe.level
    if wanted not in LEVELS:
        raise IsolationError(
            f"there is no isolation level {wanted!r}: {', '.join(LEVELS)}"
        )
    if wanted not in probe.ways:
        reasons = "; ".join(m.text() for m in probe.missing)
        raise IsolationError(
            f"the level {wanted} is not to be had here, {probe.level} is: {reasons}"
        )
    return str(wanted)
