"""Facts for ``grader doctor``: what this host gives, and what a student pastes."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec

import grader
from grader.course import load_course
from grader.errors import CourseError, UsageError
from grader.isolation.facts import Missing, Probe
from grader.isolation.probe import probe
from grader.lang import _
from grader.release import manifest

MEANING = {
    "full": "submissions see nothing of this host; each has a scratch of its own",
    "partial": "submissions see no file of yours, but can tell that one exists; "
    "they cannot write files",
    "minimal": "submissions open no file at all; imports that were not made "
    "before fail",
    "none": "submissions run with your own rights: for your own work only",
}
ABSENT = "not installed"


class Facts(msgspec.Struct, frozen=True):
    """What the doctor found; the command line prints it, tests read it."""

    level: str
    meaning: str
    rests_on: list[str]
    missing: list[Missing]
    warnings: list[str]
    user: str
    system: str
    kernel: str
    cores: int
    python: str
    grader: str
    libraries: dict[str, str]


def examine(found: Probe | None = None) -> Facts:
    """Gather the facts of this host.

    Args:
        found: a probe already made; None: make one.
    """
    found = probe() if found is None else found
    return Facts(
        level=found.level,
        meaning=MEANING[found.level],
        rests_on=found.rests_on,
        missing=found.missing,
        warnings=found.warnings,
        user=_user(),
        system=_system(),
        kernel=platform.release(),
        cores=len(os.sched_getaffinity(0))
        if hasattr(os, "sched_getaffinity")
        else os.cpu_count() or 1,
        python=platform.python_version(),
        grader=grader.__version__,
        libraries={name: _version(name) for name in ("torch", "numpy", "pytest")},
    )


def _user() -> str:
    if not hasattr(os, "geteuid"):
        return "unknown"
    return "root" if os.geteuid() == 0 else "an ordinary user"


def _system() -> str:
    try:
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, KeyError):
        return f"{platform.system()} {platform.machine()}"


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ABSENT


def lines(facts: Facts) -> list[str]:
    """The report, a line each, for a terminal."""
    out = [f"isolation   {facts.level}: {facts.meaning}"]
    if facts.rests_on:
        out.append(f"rests on    {', '.join(facts.rests_on)}")
    for missing in facts.missing:
        out.append(f"missing     {missing.level}: {missing.why}")
        out.append(f"            to get it: {missing.remedy}")
    out += [f"note        {warning}" for warning in facts.warnings]
    out.append(f"host        {facts.system}, kernel {facts.kernel}, as {facts.user}")
    out.append(f"python      {facts.python}, {facts.cores} cores")
    versions = ", ".join(f"{name} {v}" for name, v in facts.libraries.items())
    out.append(f"libraries   grader {facts.grader}, {versions}")
    return out


def student_block(root: Path) -> str:
    """What a student pastes into a question: versions, no name, no path.

    Args:
        root: folder of the bundle.
    """
    from rich.cells import set_cell_size  # Chinese letters are two columns wide

    libraries = _libraries(root)
    advice = advise() if "torch" in libraries else []
    forked = sys.platform == "linux"
    facts = [
        ("grader", grader.__version__),
        (_("bundle"), _bundle(root)),
        ("python", _python()),
        (_("system"), _system()),
        (_("console"), sys.stdout.encoding),
        (_("workers"), _("forked") if forked else _("started anew")),
        *((name, _version(name)) for name in (*libraries, "pytest")),
        *((_("note"), sentence) for sentence in advice),
    ]
    lines = [f"{set_cell_size(label, 8)} {fact}" for label, fact in facts]
    return "\n".join(["```", *lines, "```"])


def _python() -> str:
    return f"{platform.python_version()} ({sys.platform}, {platform.machine()})"


def _libraries(root: Path) -> list[str]:
    try:
        return load_course(root).libraries
    except CourseError:
        return ["torch", "numpy"]


def _bundle(root: Path) -> str:
    try:
        here = manifest.read(root)
    except UsageError:
        return _("damaged: unpack it again")
    return here.version if here else _("none")


def advise(
    system: str = sys.platform,
    machine: str = platform.machine(),
    python: tuple[int, ...] = sys.version_info[:2],
    versions: Callable[[str], str] | None = None,
) -> list[str]:
    """What to do where these versions do not work together, in sentences."""
    find = versions or _version
    torch, numpy = find("torch"), find("numpy")
    intel_mac = system == "darwin" and machine == "x86_64"
    advice = []
    if torch == ABSENT:
        command = "python -m pip install -r requirements.txt"
        advice.append(_("torch is missing: {command}", command=command))
    if intel_mac and torch == ABSENT and python > (3, 12):
        advice.append(
            _(
                "the newest torch for Intel Macs is 2.2, "
                "which needs Python 3.12 or older"
            )
        )
    elif intel_mac and manifest.order(numpy)[:1] >= (2,):
        command = 'python -m pip install "numpy<2"'
        said = _("torch 2.2, the newest for Intel Macs, needs numpy 1: {command}")
        advice.append(said.format(command=command))
    return advice
