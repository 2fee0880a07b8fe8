"""Start the driver as root or as an ordinary user, in a place of its own.

The ordinary user cannot be expected to reach the interpreter or the checkout
of whoever runs the tests, so a copy of what the driver needs is made for it,
and a Python that it can reach is looked for.
"""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import escapes

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
USER, UID_OF_WORKERS = 1000, 64500
LIMIT_S = 120
COPIED = (
    "__init__.py",
    "errors.py",
    "wire",
    "isolation/__init__.py",
    "isolation/ladder.py",
    "worker",
)


@dataclass
class Outcome:
    """What became of one attack."""

    reply: str
    status: int
    wall_s: float

    @property
    def escaped(self) -> bool:
        return self.reply.startswith("escaped")

    @property
    def signal(self) -> int:
        return os.WTERMSIG(self.status) if os.WIFSIGNALED(self.status) else 0

    def __str__(self) -> str:
        return f"{self.reply!r}, wait status {self.status}"


@dataclass
class Run:
    """One zygote's attacks."""

    outcomes: dict[str, Outcome] = field(default_factory=dict)
    unavailable: str = ""
    plan: dict[str, Any] = field(default_factory=dict)
    jail_s: float = 0.0
    returncode: int = 0


@functools.cache
def python_for(who: str) -> str:
    """An interpreter that ``who`` can run; "" when there is none."""
    for python in (sys.executable, "/usr/bin/python3", "/usr/local/bin/python3"):
        if not os.path.exists(python):
            continue
        code = "import sys, ctypes, socket; sys.exit(sys.version_info < (3, 11))"
        with contextlib.suppress(OSError):
            done = subprocess.run(
                [python, "-I", "-c", code],
                capture_output=True,
                check=False,
                cwd="/",
                **identity(who),
            )
            if done.returncode == 0:
                return python
    return ""


def identity(who: str) -> dict[str, Any]:
    """Arguments of Popen: drop to the ordinary user when we are root."""
    if who == "user" and os.geteuid() == 0:
        return {"user": USER, "group": USER, "extra_groups": []}
    return {}


def why_not(who: str) -> str:
    """A reason to skip the tests of ``who``; "" when they can run."""
    if not sys.platform.startswith("linux"):
        return "the lock-down exists on Linux alone"
    if importlib.util.find_spec("pyseccomp") is None:
        return "pyseccomp is not installed"
    if who == "root" and os.geteuid() != 0:
        return "needs root"
    return "" if python_for(who) else f"no Python 3.11 that the {who} can reach"


class Cage:
    """A folder that anyone may read, with the code, the baits and the sockets."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.code = folder / "code"
        for name in COPIED:
            source, target = ROOT / "grader" / name, self.code / "grader" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                ignore = shutil.ignore_patterns("__pycache__")
                shutil.copytree(source, target, ignore=ignore)
            else:
                shutil.copy(source, target)
        spec = importlib.util.find_spec("pyseccomp")
        assert spec is not None
        assert spec.origin is not None
        shutil.copy(spec.origin, self.code / "pyseccomp.py")
        for name in ("cage_driver.py", "deeds.py", "escapes.py"):
            shutil.copy(HERE / name, self.code / name)

    def run(self, who: str, level: str, **options: Any) -> Run:
        """Run attacks at a level, each in a worker of its own; see ``start``."""
        with self.start(who, level, **options) as driver:
            try:
                out, errors = driver.communicate(timeout=LIMIT_S)
            finally:
                driver.kill()
        if not out:
            raise AssertionError(f"the driver ended ({driver.returncode}): {errors}")
        said = json.loads(out.splitlines()[-1])
        outcomes = {n: Outcome(**o) for n, o in said.get("replies", {}).items()}
        return Run(
            outcomes,
            said.get("unavailable", ""),
            said.get("plan", {}),
            said.get("jail_s", 0.0),
            driver.returncode,
        )

    @contextlib.contextmanager
    def start(
        self,
        who: str,
        level: str,
        names: tuple[str, ...] = tuple(escapes.ATTACKS),
        *,
        leave_out: frozenset[str] = frozenset(),
        without: frozenset[str] = frozenset(),
        cpu_s: int = 1,
        end: int = 0,
        more: dict[str, Any] | None = None,
    ) -> Iterator[subprocess.Popen[str]]:
        """The driver at work; it ends with the block at the latest."""
        worker = self.code / "grader" / "worker"
        code = [worker, *(self.code / "grader" / n for n in ("__init__.py", "wire"))]
        with self._baits(who) as facts:
            order = {
                "level": level,
                "uid": UID_OF_WORKERS,
                "code_paths": [str(path) for path in code],
                "leave_out": sorted(leave_out),
                "without": sorted(without),
                "attacks": names,
                "facts": facts | (more or {}),
                "cpu_s": cpu_s,
                "exit": end,
            }
            with subprocess.Popen(
                [python_for(who), "-B", "-s", "-P", str(self.code / "cage_driver.py")],
                env={"PYTHONPATH": str(self.code), "PYTHONUTF8": "1"},
                cwd="/",
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                **identity(who),
            ) as driver:
                assert driver.stdin is not None
                driver.stdin.write(json.dumps(order))
                driver.stdin.close()
                driver.stdin = None  # communicate() would flush it again
                try:
                    yield driver
                finally:
                    driver.kill()

    @contextlib.contextmanager
    def _baits(self, who: str) -> Iterator[dict[str, Any]]:
        """What the attacks reach for; file permissions stop none of them."""
        bait = self.folder / "bait"
        shutil.rmtree(bait, ignore_errors=True)
        bait.mkdir()
        for name in ("secret.txt", "victim.txt", "old", "doomed"):
            (bait / name).write_text("the secret", encoding="ascii")
            (bait / name).chmod(0o666)
        code = self.code / "grader" / "worker"
        (code / "planted.py").unlink(missing_ok=True)
        bait.chmod(0o777)
        code.chmod(0o777)
        if identity(who):
            for path in (bait, *bait.iterdir()):
                os.chown(path, USER, USER)
        abstract = f"grader-cage-{os.getpid()}"
        with (
            socket.create_server(("127.0.0.1", 0)) as tcp,
            socket.socket(socket.AF_UNIX) as by_name,
            socket.socket(socket.AF_UNIX) as by_path,
        ):
            by_name.bind("\0" + abstract)
            by_path.bind(str(bait / "socket"))
            (bait / "socket").chmod(0o777)
            for listener in (by_name, by_path):
                listener.listen()
            yield {
                "folder": str(bait),
                "secret": str(bait / "secret.txt"),
                "victim_file": str(bait / "victim.txt"),
                "code": str(code),
                "tcp": tcp.getsockname()[1],
                "unix": str(bait / "socket"),
                "abstract": abstract,
            }
