"""Runs the commands of docs/semester.md, block by block."""

import contextlib
import io
import os
import re
import shlex
import sys
from pathlib import Path

from grader.cli import main

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```|^<!-- play: (.*?) -->", re.M | re.S)
# These run student code; what isolation a machine gives is tested elsewhere.
RUNS_CODE = ("grade", "rerun")


def blocks(root: Path) -> list[tuple[str, str]]:
    """(kind, text) of each block of the page, in order."""
    page = (root / "docs" / "semester.md").read_text(encoding="utf-8")
    found = BLOCK.findall(page)
    return [(kind or "play", text or deed) for kind, text, deed in found]


def run(folder: Path, line: str) -> tuple[int, str]:
    """(exit code, everything printed) of one command line, in ``folder``."""
    program, module, name, *arguments = shlex.split(line)
    assert [program, module, name] == ["python", "-m", "grader"], line
    if arguments[0] in RUNS_CODE:
        arguments += ["--isolation", "none"]
    output = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    before, argv = os.getcwd(), sys.argv
    os.chdir(folder)
    sys.argv = ["grader", *arguments]
    try:
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
            code = main()
    finally:
        os.chdir(before)
        sys.argv = argv
    return code, output.buffer.getvalue().decode()
