"""Runs beside student code: a worker started by itself, for any system.

    python -m grader.worker.fresh PLAN_JSON

Where no warm process can be forked (macOS, Windows) the session starts this
program for a run of checks. Requests come on its standard input, replies go to
its standard output, and what student code prints goes to standard error. There
is no lock-down here: this is for one's own work on one's own machine.

The plan: {"libraries": [...], "folder": where the session keeps arenas}.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from grader.worker import streams
from grader.worker.channels import PipeChannel, write_all
from grader.worker.server import Server
from grader.worker.warm import one_thread, warm


def plumb() -> tuple[int, int]:
    """Take over 0 and 1 for the wire; 0 is empty and 1 the captured output now."""
    source, sink = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(2, 1)
    if sys.platform == "win32":
        import msvcrt

        for fd in (source, sink):
            msvcrt.setmode(fd, os.O_BINARY)
    streams.anew()
    return source, sink


def main() -> None:
    """Warm up, say so, serve."""
    plan = json.loads(sys.argv[1])
    source, sink = plumb()
    warm(plan["libraries"])
    one_thread()
    channel = PipeChannel(source, sink, Path(plan["folder"]))
    write_all(sink, b"!")
    Server(channel).serve()


if __name__ == "__main__":
    main()
