"""The console that commands print to."""

from __future__ import annotations

import sys
from typing import Any

import msgspec
from rich.console import Console


def print_json(value: Any) -> None:
    """One line of JSON on stdout, UTF-8 whatever the terminal speaks."""
    # What it does not know is a path.
    sys.stdout.buffer.write(msgspec.json.encode(value, enc_hook=str) + b"\n")


def make_console(plain: bool = False, stderr: bool = False) -> Console:
    """Colours only on a terminal (and never with NO_COLOR or ``plain``).

    Without a terminal lines are 100 wide: a log is read, not fitted.
    """
    stream = sys.stderr if stderr else sys.stdout
    terminal = stream.isatty()
    return Console(
        file=stream,
        no_color=True if plain else None,
        force_terminal=False if plain else None,
        width=None if terminal else 100,
        highlight=False,
        emoji=False,
        markup=False,
        safe_box=True,
    )
