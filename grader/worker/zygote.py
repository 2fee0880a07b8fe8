"""The warm process that workers are forked from. Runs no student code itself.

Started as a fresh program with an environment of our making:

    python -B -s -P -m grader.worker.zygote CONTROL_FD

The first message on its control socket is the course's libraries: it imports and
warms them. The second is the plan, made meanwhile; what stands in a command line, a
worker could read. It enters the jail if the plan says so, then forks one worker for
each request. A worker locks itself down before it receives a line of the student's.
Asked for another zygote, it forks one with a control socket of its own.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import sys
from typing import Any

from grader.worker import streams
from grader.worker.lockdown import confine, enter_jail, prepare, stand_beside
from grader.worker.pages import LargePages
from grader.worker.warm import one_thread, warm

CHANNEL_FD = 3
PLAN_BYTES = 1 << 18


class Zygote:
    """Forks workers on request and tells how they ended."""

    def __init__(self, control: socket.socket, plan: dict[str, Any]) -> None:
        self.control = control
        self.prepared = prepare(plan)
        self.children: dict[int, int] = {}  # pidfd -> pid
        self.pages = LargePages()

    def run(self) -> None:
        """Serve until the session hangs up; then every worker dies with us."""
        poll = select.poll()
        poll.register(self.control, select.POLLIN)
        while True:
            for fd, _ in poll.poll():
                if fd == self.control.fileno():
                    if not self._request(poll):
                        return
                elif fd in self.children:
                    poll.unregister(fd)
                    self._reap(fd)

    def _request(self, poll: select.poll) -> bool:
        data, fds, _, _ = socket.recv_fds(self.control, 65536, 4)
        if not data:
            return False
        order = json.loads(data)
        if "zygote" in order:  # a batch: many forks will follow, of both
            self.pages.gather()
        if order.get("cores"):  # where its session is
            with contextlib.suppress(OSError):
                os.sched_setaffinity(0, order["cores"])
        try:
            pid = os.fork()
        except OSError as e:
            self.control.send(json.dumps({"error": str(e)}).encode())
            for fd in fds:
                os.close(fd)
            return True
        if pid == 0:
            if "zygote" in order:
                self._become_zygote(fds, order["zygote"])
            self._become_worker(order, fds)
        for fd in fds:
            os.close(fd)
        pidfd = os.pidfd_open(pid)
        self.children[pidfd] = pid
        poll.register(pidfd, select.POLLIN)
        reply = json.dumps({"pid": pid}).encode()
        socket.send_fds(self.control, [reply], [pidfd])
        self.pages.count_fork()
        return True

    def _reap(self, pidfd: int) -> None:
        pid = self.children.pop(pidfd)
        _, status, usage = os.wait4(pid, 0)
        os.close(pidfd)
        # Without a seccomp filter a worker may have forked: its group goes too.
        try:
            os.killpg(pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass
        ended = {
            "dead": pid,
            "status": status,
            "memory_kib": usage.ru_maxrss,
            "cpu_s": usage.ru_utime + usage.ru_stime,
        }
        self.control.send(json.dumps(ended).encode())

    def _become_zygote(self, fds: list[int], number: int) -> None:
        """Never returns: serve session ``number``, warm and jailed as we are."""
        code = 70
        try:
            # Whoever holds the old one keeps our parent from seeing its session go.
            self.control.close()
            for pidfd in self.children:
                os.close(pidfd)
            self.children = {}
            self.control = socket.socket(fileno=fds[0])
            self.prepared.zygote_pid = os.getpid()
            self.prepared.plan = stand_beside(self.prepared.plan, number)
            one_thread()
            self.run()
            code = 0
        finally:
            os._exit(code)

    def _become_worker(self, order: dict[str, Any], fds: list[int]) -> None:
        """Never returns: lock down, then serve."""
        try:
            channel = self._plumb(fds)
            one_thread()
            confine(
                self.prepared,
                keep_fds={0, 1, 2, CHANNEL_FD},
                cpu_s=order["cpu_s"],
                memory_mib=order["memory_mib"],
            )
            from grader.worker.channels import SocketChannel
            from grader.worker.server import Server

            self.prepared.plan.clear()  # no business of a student's
            channel.sendall(b"!")  # locked down: the source may come
            Server(SocketChannel(channel)).serve()
        except BaseException as e:  # nothing may run past this point
            os.write(2, f"worker: {type(e).__name__}: {e}\n".encode()[:500])
            os._exit(70)
        os._exit(0)

    def _plumb(self, fds: list[int]) -> socket.socket:
        """Descriptors of a worker: 0 /dev/null, 1 and 2 the output, 3 the channel."""
        channel, output = (os.dup2(fd, 60 + i) for i, fd in enumerate(fds))
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, 0)
        os.dup2(output, 1)
        os.dup2(output, 2)
        os.dup2(channel, CHANNEL_FD)
        os.closerange(CHANNEL_FD + 1, 256)
        streams.anew()
        return socket.socket(fileno=CHANNEL_FD)


def main() -> None:
    """Warm up, lock down what is ours to lock, serve."""
    control = socket.socket(fileno=int(sys.argv[1]))
    warm(json.loads(control.recv(PLAN_BYTES)))
    data = control.recv(PLAN_BYTES)
    if not data:
        return  # there is no such plan on this host
    plan = json.loads(data)
    zygote = Zygote(control, plan)
    if plan["level"] == "full":
        enter_jail(plan)
    control.send(json.dumps({"ready": plan["level"]}).encode())
    zygote.run()


if __name__ == "__main__":
    main()
