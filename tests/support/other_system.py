"""A session on a system that cannot fork: run as a program by the tests.

What only Linux (or only POSIX) has is taken away before anything of the grader
is imported, then requests are served as ``python -m grader.session`` does, with
workers started anew. Given a module's name instead, that module is imported.
"""

import importlib
import os
import select
import signal
import socket
import sys

for name in ("fcntl", "resource", "pwd", "grp", "termios", "pyseccomp", "syslog"):
    sys.modules[name] = None
GONE = {
    os: "fork forkpty memfd_create pidfd_open pipe2 wait4 killpg getuid geteuid "
    "sched_getaffinity O_NOFOLLOW O_NONBLOCK O_CLOEXEC",
    socket: "AF_UNIX SOCK_SEQPACKET send_fds recv_fds",
    select: "poll epoll POLLIN POLLOUT",
    signal: "SIGXCPU SIGSYS pidfd_send_signal alarm",
}
for module, names in GONE.items():
    for name in names.split():
        if hasattr(module, name):
            delattr(module, name)


def serve(folder: str) -> None:
    from pathlib import Path

    from grader.course import load_course
    from grader.session.__main__ import _loop
    from grader.session.start import Session

    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    course = load_course(Path(folder))
    with Session(course, list(course.exercises), "none", fresh=True) as session:
        session.run(lambda grader: _loop(grader, sys.stdin.buffer, out))


if __name__ == "__main__":
    if os.path.isdir(sys.argv[1]):
        serve(sys.argv[1])
    else:
        importlib.import_module(sys.argv[1])
