"""When a git clone was last committed to, without letting the clone run anything.

A repository's own config can name programs (signature checks, fsmonitor, hooks,
transports). Only ``rev-list`` is called, which starts none of them, with every
road to one closed besides.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from grader.intake.handin import Handin

_TIMEOUT_S = 10
_SOURCE = "commit time of HEAD (by the clock of the student's computer)"
_CONFIG = {
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    "core.sshCommand": "false",
    "core.pager": "cat",
    "log.showSignature": "false",
    "gpg.program": "false",
    "protocol.allow": "never",
    "safe.directory": "*",
}


def apply(handin: Handin, folder: Path) -> None:
    """Set the time of a hand-in whose folder is a git clone; else do nothing."""
    git = folder / ".git"
    if git.is_symlink() or not git.is_dir():
        return
    time, trouble = head_time(folder)
    if time:
        handin.submitted_at, handin.time_source = time, _SOURCE
    else:
        handin.warnings.append(f"It is a git clone whose last commit {trouble}.")


def head_time(folder: Path) -> tuple[str | None, str]:
    """(ISO time of HEAD, "") or (None, what is wrong with it)."""
    program = shutil.which("git")
    if program is None:
        return None, "cannot be dated: git is not installed here"
    command = [program, "rev-list", "--max-count=1", "--format=%cI", "HEAD", "--"]
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=_environment(folder),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=_TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None, f"could not be read in {_TIMEOUT_S} s"
    except OSError as e:
        return None, f"cannot be read ({e.strerror})"
    lines = done.stdout[:1000].decode("ascii", "replace").split()
    if done.returncode or len(lines) != 3:
        return None, "cannot be read: it has none, or the clone is damaged"
    return lines[2], ""


def _environment(folder: Path) -> dict[str, str]:
    """Git's whole environment: nothing of the teacher's own set-up gets in."""
    env = {
        "PATH": os.defpath,
        "LC_ALL": "C",
        "HOME": os.devnull,
        # Named outright, git neither looks for a repository in the folders
        # above nor asks who owns this one.
        "GIT_DIR": str((folder / ".git").resolve()),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_SYSTEM": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_ALLOW_PROTOCOL": "none",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_CONFIG_COUNT": str(len(_CONFIG)),
    }
    for i, (key, value) in enumerate(_CONFIG.items()):
        env[f"GIT_CONFIG_KEY_{i}"], env[f"GIT_CONFIG_VALUE_{i}"] = key, value
    return env
