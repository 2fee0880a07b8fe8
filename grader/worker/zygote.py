"""The warm process that workers are forked from. Runs no student code itself.

Started as a fresh program with an environment of our making:

    python -B -s -P -m grader.worker.zygote CONTROL_FD PLAN_JSON

It imports and warms the course's libraries, enters the jail if the plan says
so, then forks one worker for each request on its control socket. A worker
locks itself down before it receives a line of the student's.
"""

from __future__ import annotations

import gc
import io
import json
import os
import select
import signal
import socket
import sys
from typing import Any

from grader.worker.lockdown import confine, enter_jail, prepare

CHANNEL_FD = 3
# encodings.idna: where no file can be opened, a connection would fail for want of it
# instead of being refused in words.
ALSO_WARM = (
    "random", "tempfile", "zoneinfo", "dataclasses", "traceback", "json",
    "encodings.idna",
)  # fmt: skip


def warm(libraries: list[str]) -> None:
    """Import and use once what students use, so that every fork has it warm."""
    import importlib

    for name in libraries:
        importlib.import_module(name)
    for name in ALSO_WARM:
        importlib.import_module(name)
    if "torch" in libraries:
        _warm_torch()
    from grader.worker import server  # noqa: F401  (workers find it imported)

    gc.collect()
    gc.freeze()


def _warm_torch() -> None:
    import torch

    torch.set_num_threads(1)
    lstm = torch.nn.LSTM(3, 4, batch_first=True)
    # The first optimizer of a process imports torch._dynamo: 0.9 s.
    optimizer = torch.optim.Adam(lstm.parameters())
    packed = torch.nn.utils.rnn.pack_padded_sequence(
        torch.ones(2, 3, 3),
        torch.tensor([2, 3]),
        batch_first=True,
        enforce_sorted=False,
    )
    output, _ = lstm(packed)
    padded, _ = torch.nn.utils.rnn.pad_packed_sequence(output, batch_first=True)
    torch.autograd.backward(padded.pow(2).mean())
    optimizer.step()
    for dtype in (torch.float16, torch.bfloat16):
        torch.softmax(torch.ones(2, 3, dtype=dtype), -1)
    torch.nn.functional.conv1d(torch.ones(1, 1, 4), torch.ones(1, 1, 2))
    repr(torch.ones(2))
    # Saving imports late, and at the level minimal nothing is imported late.
    buffer = io.BytesIO()
    torch.save(lstm.state_dict(), buffer)
    buffer.seek(0)
    torch.load(buffer, weights_only=True)  # our own bytes, written just above


class Zygote:
    """Forks workers on request and tells how they ended."""

    def __init__(self, control: socket.socket, plan: dict[str, Any]) -> None:
        self.control = control
        self.plan = plan
        self.prepared = prepare(plan)
        self.children: dict[int, int] = {}  # pidfd -> pid

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
        try:
            pid = os.fork()
        except OSError as e:
            self.control.send(json.dumps({"error": str(e)}).encode())
            for fd in fds:
                os.close(fd)
            return True
        if pid == 0:
            self._become_worker(order, fds)
        for fd in fds:
            os.close(fd)
        pidfd = os.pidfd_open(pid)
        self.children[pidfd] = pid
        poll.register(pidfd, select.POLLIN)
        reply = json.dumps({"pid": pid}).encode()
        socket.send_fds(self.control, [reply], [pidfd])
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

    def _become_worker(self, order: dict[str, Any], fds: list[int]) -> None:
        """Never returns: lock down, then serve."""
        try:
            channel = self._plumb(fds)
            _one_thread()
            confine(
                self.prepared,
                keep_fds={0, 1, 2, CHANNEL_FD},
                cpu_s=order["cpu_s"],
                memory_mib=order["memory_mib"],
            )
            from grader.worker.server import Server

            channel.sendall(b"!")  # locked down: the source may come
            Server(channel).serve()
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
        for stream in (sys.stdout, sys.stderr):
            stream.reconfigure(line_buffering=True)  # type: ignore[union-attr]
        return socket.socket(fileno=CHANNEL_FD)


def _one_thread() -> None:
    """The first act of a fork: else libgomp's lost pool can hang it for ever."""
    torch = sys.modules.get("torch")
    if torch is not None:
        torch.set_num_threads(1)


def main() -> None:
    """Warm up, lock down what is ours to lock, serve."""
    control = socket.socket(fileno=int(sys.argv[1]))
    plan = json.loads(sys.argv[2])
    warm(plan["libraries"])
    zygote = Zygote(control, plan)
    if plan["level"] == "full":
        enter_jail(plan)
    control.send(json.dumps({"ready": plan["level"]}).encode())
    zygote.run()


if __name__ == "__main__":
    main()
