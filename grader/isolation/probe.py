"""Which level does this host give? Each is really tried, in a program of its own.

What a kernel says of itself is no proof: a container may refuse what the
kernel offers. So the probe starts a small Python, without torch, that locks a
child down at every level and looks whether it holds.
"""

from __future__ import annotations

import functools
import json
import os
import random
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from grader.isolation import ladder
from grader.isolation.facts import Missing, Probe

PROGRAM = "grader.worker.lockdown.trial"
LIMIT_S = 30.0
# Above those of people. systemd may lend such a number to a service that runs.
FIRST_UID, UIDS = 64001, 998
WAY = ("uid", "gid", "userns", "landlock", "nproc")


def probe(without: Iterable[str] = (), *, python: str = sys.executable) -> Probe:
    """Try every level and tell the best one that holds.

    Args:
        without: for tests: do as if these were missing, see
            ``grader.worker.lockdown.pretend``.
        python: the interpreter that workers will run on.
    """
    if not sys.platform.startswith("linux"):
        why = f"{sys.platform} has no way to confine a process as we need it"
        return _nothing(
            Missing("isolation", why, "grade on Linux, in a VM or container")
        )
    try:
        facts = _try(set(without), python)
    except (OSError, ValueError, subprocess.SubprocessError) as e:
        why = f"the trial program failed: {e}"
        return _nothing(Missing("isolation", why, "report this with `grader doctor`"))
    return _judge(facts)


@functools.cache
def cached_probe() -> Probe:
    """The probe of this host, made once a process."""
    return probe()


def _nothing(missing: Missing) -> Probe:
    return Probe("none", {}, [], [missing], [])


def _try(without: set[str], python: str) -> dict[str, Any]:
    # Each plan has an identity of its own: sessions side by side do not share
    # the kernel's counters of one uid.
    uid = FIRST_UID + random.SystemRandom().randrange(UIDS)
    paths = ladder.read_allow_list()
    order = {
        "plan": ladder.base_plan(paths),
        "uid": uid if os.geteuid() == 0 else None,
        "samples": _samples(),
        "without": sorted(without),
    }
    done = subprocess.run(
        [python, "-B", "-s", "-P", "-m", PROGRAM],
        input=json.dumps(order),
        env={"PYTHONPATH": str(ladder.PACKAGE.parent), "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or [f"status {done.returncode}"]
        raise ValueError(lines[-1])
    facts: dict[str, Any] = json.loads(done.stdout)
    return facts


def _samples() -> list[str]:
    """Files that a worker imports late: another uid must be able to read them."""
    found = [
        os.__file__,
        json.__file__,
        msgspec.__file__,
        str(ladder.PACKAGE / "wire" / "__init__.py"),
    ]
    for module in ("torch", "numpy"):
        for place in sys.path:
            path = Path(place) / module / "__init__.py"
            if path.is_file():
                found.append(str(path))
                break
    return [path for path in found if os.path.exists(path)]


def _judge(facts: dict[str, Any]) -> Probe:
    ways, missing, warnings = {}, [], []
    for level, tried in facts["levels"].items():
        if tried["ok"]:
            ways[level] = {key: tried["plan"][key] for key in WAY}
        else:
            missing.append(_missing(level, tried["faults"][-1], facts["landlock_abi"]))
    level = next((name for name in ladder.LEVELS if name in ways), "none")
    # Once a level holds, what a lower one lacks is of no interest.
    better = ladder.LEVELS[: ladder.LEVELS.index(level)]
    missing = [m for m in missing if m.level in better]
    if level != "none" and os.geteuid() == 0 and ways[level]["uid"] is None:
        faults = facts["levels"][level]["faults"]
        why = faults[0] if faults else "a user namespace has no other identity"
        warnings.append(
            f"workers keep uid 0, without any capability ({why}). Put Python and its "
            "packages where every user may read them."
        )
    if level == "full" and not ways[level]["landlock"]:
        warnings.append("no Landlock: the jail's file tree alone hides files")
    rests_on = _rests_on(level, ways.get(level, {}), facts["landlock_abi"])
    return Probe(level, ways, rests_on, missing, warnings, facts["landlock_abi"])


def _rests_on(level: str, way: dict[str, Any], abi: int) -> list[str]:
    if level == "none":
        return []
    layers = ["seccomp allow-list", "resource limits", "no capabilities"]
    if way["uid"] is not None:
        layers.append("an identity of its own")
    if way["landlock"]:
        layers.append(f"Landlock {abi}")
    if level == "full":
        kind = "user, mount" if way["userns"] else "mount"
        layers.append(f"{kind}, pid, net, ipc, uts and cgroup namespaces")
        layers.append("a file tree of its own, a scratch of its own")
    return layers


def _missing(level: str, fault: str, abi: int) -> Missing:
    """Put the fault of a trial beside what usually mends it."""
    if "libseccomp" in fault or "pyseccomp" in fault:
        return Missing(level, fault, "pip install pyseccomp; apt install libseccomp2")
    if level == "full":
        remedy = (
            "let user namespaces be made: sysctl "
            "kernel.apparmor_restrict_unprivileged_userns=0, or in a container "
            "--cap-add SYS_ADMIN --security-opt apparmor=unconfined "
            "--security-opt seccomp=unconfined; or run as root"
        )
    elif level == "partial" and abi < 1:
        remedy = "a kernel from 5.13 on with Landlock in its list of LSMs"
    elif level == "minimal" or "seccomp" in fault:
        remedy = "a kernel and a container profile that let seccomp filters be set"
    else:
        remedy = "put Python and its packages where the worker's user may read them"
    return Missing(level, fault, remedy)
