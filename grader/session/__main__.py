"""A session as a process: settings on the first line, then one request a line.

    python -m grader.session < requests > replies

It starts the zygote before it imports torch, so that both import at once.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import IO

import msgspec

from grader.course import load_course
from grader.errors import GraderError
from grader.session.protocol import Hello, Reply, Request, Settings

_encoder = msgspec.json.Encoder(decimal_format="string")
_requests = msgspec.json.Decoder(Request)


def _send(out: IO[bytes], message: Hello | Reply) -> None:
    out.write(_encoder.encode(message) + b"\n")
    out.flush()


def main() -> int:
    """Serve until standard input ends."""
    # Whatever prints in this process must not land among the replies.
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    line = sys.stdin.buffer.readline()
    if not line:
        return 2
    settings = msgspec.json.decode(line, type=Settings)
    try:
        _serve(settings, out)
    except GraderError as e:
        _send(out, Hello(settings.isolation, {}, {}, error=str(e)))
        return e.exit_code
    return 0


def _serve(settings: Settings, out: IO[bytes]) -> None:
    from grader.session.start import Starting

    course = load_course(Path(settings.course))
    starting = Starting(course, settings)
    try:
        starting.run(lambda grader: _loop(grader, settings, out))
    finally:
        starting.close()


def _loop(grader, settings: Settings, out: IO[bytes]) -> None:  # type: ignore[no-untyped-def]
    limits = grader.limits.per_check
    _send(out, Hello(settings.isolation, versions(), limits))
    for line in sys.stdin.buffer:
        request = _requests.decode(line)
        result = grader.grade(request.submission, request.exercises)
        result.versions = versions()
        _send(out, Reply(request.id, result))


def versions() -> dict[str, str]:
    """Versions of the engine, Python and the libraries that decide numbers."""
    import platform
    from importlib import metadata

    from grader import __version__

    found = {"grader": __version__, "python": platform.python_version()}
    for name in ("torch", "numpy", "pytest"):
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


if __name__ == "__main__":
    sys.exit(main())
