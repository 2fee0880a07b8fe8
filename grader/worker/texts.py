"""Runs beside student code: source texts that lie in no file."""

from __future__ import annotations

import linecache


def remember(file: str, text: str) -> None:
    """Let ``inspect.getsource``, and with it ``torch.jit.script``, find a text."""
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
