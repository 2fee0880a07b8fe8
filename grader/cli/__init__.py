"""The command line: parse, call, choose the exit code. No work is done here.

Each group of commands in the help has a module. Exit codes: 0 done (``check``: all
passed; ``grade``: also with unreadable rows), 1 checks failed, 2 usage or unreadable
input, 3 some submission is a grader error.
"""

from __future__ import annotations

import io
import os
import sys

import typer

from grader.cli import checking, correcting, course, grading, handing_back
from grader.cli.faults import refused_path
from grader.errors import GraderError

app = typer.Typer(
    name="grader",
    help="Split grading for exercises: the judge never runs student code.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
)
for group in (checking, grading, correcting, handing_back, course):
    group.add_to(app)


def main() -> int:
    """Entry point: every error of ours becomes one sentence and an exit code."""
    for stream in (sys.stdout, sys.stderr):
        # A console in cp936 or cp1252 lacks letters: "?" is better than no report.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        # Outside of its standalone mode the parser returns what Exit carried.
        return int(app(standalone_mode=False) or 0)
    except GraderError as e:
        print(f"grader: error: {e}", file=sys.stderr)
        return 2 if refused_path(e, sys.argv[1:]) else e.exit_code
    except typer.Abort:
        return 130
    except KeyboardInterrupt:
        print("grader: stopped.", file=sys.stderr)
        return 130
    except Exception as e:
        return _unforeseen(e)


def _unforeseen(error: Exception) -> int:
    """Usage errors of the parser, and faults of ours that nobody foresaw."""
    lacking = str(getattr(error, "name", "") or "")
    if isinstance(error, ImportError) and lacking.startswith("grader."):
        print(
            "grader: error: this command is no part of the student bundle; it needs "
            "the whole project.",
            file=sys.stderr,
        )
        return 2
    show = getattr(error, "format_message", None)
    if show is not None:  # click's own exceptions: a wrong option, a missing one
        print(f"grader: error: {show()}", file=sys.stderr)
        print("Try: python -m grader --help", file=sys.stderr)
        return 2
    refused = refused_path(error, sys.argv[1:])
    if refused:
        print(f"grader: error: {refused}", file=sys.stderr)
        return 2
    if os.environ.get("GRADER_TRACEBACK"):
        raise error
    print(
        f"grader: error: a fault of the grader itself, {type(error).__name__}: "
        f"{error}. Nothing was lost; set GRADER_TRACEBACK=1 to see where.",
        file=sys.stderr,
    )
    return 3
