"""The grader with a rule taken away, so that the attack it stops is seen to work.

Nothing here is part of the grader. The session has no isolation, no limits on
memory and descriptors, and for each request the rules named in it are replaced
by what a less careful grader would do.
"""

from __future__ import annotations

import atexit
import contextlib
import importlib
import json
import linecache
import os
import pickle
import select
import sys
import time
import types
from decimal import Decimal
from pathlib import Path
from typing import Any
from unittest import mock

import msgspec

from grader import wire
from grader.course import load_course
from grader.session import loading, plugin, runner, start, student, verdict
from grader.session.local import LocalStudent
from grader.session.protocol import Reply, Request
from grader.session.workers import faults, worker
from grader.wire import decode, messages

ALONE_S = 4.0  # an answer of a child that judges in process
NO_LIMIT = 1e5
encode = msgspec.json.Encoder(decimal_format="string").encode


class Ask(msgspec.Struct):
    """Requests that one process answers, and what it does without."""

    weaken: list[str]
    requests: list[Request]


def _nothing(*given: Any) -> None:
    """In place of a rule that raises."""


def _empty(*given: Any) -> list[Any]:
    return []


def _yes(*given: Any) -> bool:
    return True


def _no(*given: Any) -> bool:
    return False


# ---- one function for each rule: patches on a stack


def budget(grader: Any) -> list[Any]:
    real = worker.Worker._wait

    def wait(self: Any, budget: Any, events: int) -> None:
        real(self, worker.Budget(NO_LIMIT, NO_LIMIT), events)

    return [mock.patch.object(worker.Worker, "_wait", wait)]


def output(grader: Any) -> list[Any]:
    return [mock.patch("grader.session.workers.budget.KEEP_OUTPUT", 1 << 30)]


def public_only(grader: Any) -> list[Any]:
    checks = {k: [c for c in v if c.public] for k, v in grader.plugin.checks.items()}
    return [mock.patch.object(grader.plugin, "checks", checks)]


def gate(grader: Any) -> list[Any]:
    return [mock.patch("grader.session.totals.gate", new=_nothing)]


def evidence(grader: Any) -> list[Any]:
    return [mock.patch.object(runner.Runner, "last_inputs", new=_empty)]


def blame(grader: Any) -> list[Any]:
    return [mock.patch.object(type(grader.attempts), "_is_answers_fault", new=_no)]


def in_process(grader: Any) -> list[Any]:
    real, loaded = plugin.Remote, {}

    def remote(its_runner: Any, root: list[str]) -> Any:
        if root != ["student"]:
            return real(its_runner, root)
        if its_runner not in loaded:
            module = types.ModuleType("square")
            sys.modules["square"] = loaded[its_runner] = module
            text = its_runner.submission.files["square"].text
            exec(compile(text, "square.py", "exec"), module.__dict__)
        return LocalStudent(loaded[its_runner])

    return [mock.patch.object(plugin, "Remote", remote)]


def naive(grader: Any) -> list[Any]:
    from grader.session import expect, failing

    def close(actual: Any, expected: Any, **words: Any) -> None:
        import numpy
        import torch

        expected = expected.detach()
        if isinstance(actual, numpy.ndarray):
            same = numpy.allclose(actual, expected.numpy())
        elif isinstance(actual, torch.Tensor):
            same = torch.allclose(actual, expected)
        else:
            same = actual == expected
        if not same:
            raise failing.ExpectationError("numbers", "others", "these")

    return [mock.patch.object(expect, "close", close)]


def _judged(grader: Any, forgive: Any) -> list[Any]:
    real = verdict.judge

    def judge(check: Any, error: Any, *more: Any) -> Any:
        return real(check, None if forgive(check, error) else error, *more)

    return [mock.patch.object(verdict, "judge", judge)]


def lenient(grader: Any) -> list[Any]:
    def forgive(check: Any, error: Any) -> bool:
        return error is not None and not isinstance(error, Exception)

    return _judged(grader, forgive)


def lenient_errors(grader: Any) -> list[Any]:
    def forgive(check: Any, error: Any) -> bool:
        return check.errors and isinstance(error, TypeError)

    return _judged(grader, forgive)


def wire_single(grader: Any) -> list[Any]:
    def read(self: Any, count: int, budget: Any) -> bytes:
        while len(self._buffer) < count:
            try:
                self._buffer += self._channel.recv(1 << 16)
            except BlockingIOError:
                self._wait(budget, select.POLLIN)
        taken = bytes(self._buffer[:count])
        del self._buffer[:count]
        return taken

    return [mock.patch.object(worker.Worker, "_read", read)]


def wire_number(grader: Any) -> list[Any]:
    real = worker.Worker._receive

    def receive(self: Any, budget: Any, *options: Any) -> Any:
        reply = real(self, budget, *options)
        reply.number = self._number
        return reply

    return [mock.patch.object(worker.Worker, "_receive", receive)]


def wire_caps(grader: Any) -> list[Any]:
    large = 1 << 40
    return [mock.patch.multiple(messages, MAX_HEAD=large, MAX_BLOB=large)]


def wire_depth(grader: Any) -> list[Any]:
    return [mock.patch.object(wire, "check_depth", new=_nothing)]


def wire_keys(grader: Any) -> list[Any]:
    return [mock.patch.object(decode, "check_maps", new=_nothing)]


def wire_share(grader: Any) -> list[Any]:
    real = wire.Decoder._begin

    def begin(self: Any, *args: Any) -> None:
        real(self, *args)
        self._left = 1 << 40

    return [mock.patch.object(wire.Decoder, "_begin", begin)]


def wire_tracked(grader: Any) -> list[Any]:
    return [mock.patch.object(student, "_is_honest", new=_yes)]


def claims(grader: Any) -> list[Any]:
    def init(self: Any, failure: Any) -> None:
        Exception.__init__(self, failure.message)
        self.kinds, self.frames = failure.kinds, failure.frames
        self.kind = failure.kinds[0]

    return [
        mock.patch.object(faults.StudentError, "__init__", init),
        mock.patch.object(loading, "MAX_WARNINGS", 1 << 30),
    ]


def rebuild(grader: Any) -> list[Any]:
    real = loading.student_error

    def make(failure: Any) -> BaseException:
        module, _, name = failure.kinds[0].rpartition(".")
        if not module:
            return real(failure)
        made = getattr(importlib.import_module(module), name)(failure.message)
        return made if isinstance(made, BaseException) else real(failure)

    return [mock.patch.object(loading, "student_error", make)]


def line_cache(grader: Any) -> list[Any]:
    def line(source: Any, file: str, number: int, exercise: str) -> str | None:
        return linecache.getline(file, number) or None

    return [mock.patch.object(verdict, "_line", line)]


def pickled(grader: Any) -> list[Any]:
    real = wire.Decoder._known

    def known(self: Any, code: int, data: Any) -> Any:
        value = real(self, code, data)
        return pickle.loads(value) if type(value) is bytes else value

    return [mock.patch.object(wire.Decoder, "_known", known)]


def handles(grader: Any) -> list[Any]:
    real = student.Remote._call

    def call(self: Any, target: Any, args: Any, kwargs: Any, makes: bool = True) -> Any:
        return real(self, target, args, kwargs, True)

    return [mock.patch.object(student.Remote, "_call", call)]


def objects_answer(grader: Any) -> list[Any]:
    def equal(self: Any, other: Any) -> Any:
        return self._proxy._call(["object", self._number, "equals"], (other,), {})

    return [mock.patch.object(student.RemoteObject, "__eq__", equal)]


RULES = {
    "wire.single": wire_single, "wire.number": wire_number, "wire.caps": wire_caps,
    "wire.depth": wire_depth, "wire.keys": wire_keys, "wire.share": wire_share,
    "wire.tracked": wire_tracked, "pickle": pickled,
    **{f.__name__: f for f in (
        budget, output, public_only, gate, evidence, blame, in_process, naive,
        lenient, lenient_errors, claims, rebuild, line_cache, handles, objects_answer,
    )},
}  # fmt: skip
# Not a rule of the grader, but what is done with a child's end.
ENDS = {"none", "exit_code", "at_exit", "together"}


def serve(course_folder: Path) -> int:
    """Answer asks until standard input ends."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    course = load_course(course_folder)
    plan = {"level": "none", "leave_out": ["limits", "descriptors"]}
    with (
        mock.patch.object(start, "plan_for", return_value=plan),
        start.Session(course, list(course.exercises), "none") as session,
    ):
        session.run(lambda grader: _loop(grader, out))
    return 0


def _loop(grader: Any, out: Any) -> None:
    decode = msgspec.json.Decoder(Ask).decode
    for line in sys.stdin.buffer:
        ask = decode(line)
        alone = {"in_process", "at_exit"} & set(ask.weaken)
        answer = _child(grader, ask) if alone else _grade(grader, ask)
        out.write(answer + b"\n")
        out.flush()


def _grade(grader: Any, ask: Ask) -> bytes:
    with contextlib.ExitStack() as stack:
        for name in ask.weaken:
            for patch in RULES[name](grader) if name not in ENDS else ():
                stack.enter_context(patch)
        for request in ask.requests:
            grader.use(request.seed, request.limits, request.time_factor)
            result = grader.grade(request.submission, request.exercises)
        return encode(Reply(request.id, result))


def _child(grader: Any, ask: Ask) -> bytes:
    """The same in a process of its own, whose standard output is believed."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.setsid()
        os.dup2(write, 1)
        answer = _grade(grader, ask) if "in_process" in ask.weaken else b""
        os.write(1, answer + b"\n")
        if "at_exit" in ask.weaken:
            atexit._run_exitfuncs()
        os._exit(1)
    os.close(write)
    said, status = _listen(read, child)
    printed: list[str] = []
    for line in said.splitlines():
        try:
            reply = msgspec.json.decode(line, type=Reply)
        except msgspec.MsgspecError:
            printed.append(line.decode(errors="replace"))
            continue
        reply.result.warnings += printed
        return encode(reply)
    if "exit_code" in ask.weaken and status == 0:
        return encode({"id": "1", "result": _full(ask)})
    return json.dumps({"lost": True}).encode()


def _full(ask: Ask) -> dict[str, Any]:
    return {
        "submission": "someone", "status": "graded", "exercises": {},
        "score": Decimal(100), "max_score": Decimal(100),
    }  # fmt: skip


def _listen(read: int, child: int) -> tuple[bytes, int]:
    poll, said, end = select.poll(), b"", time.monotonic() + ALONE_S
    poll.register(read, select.POLLIN)
    while (left := end - time.monotonic()) > 0:
        if not poll.poll(left * 1000):
            break
        part = os.read(read, 1 << 16)
        if not part:
            break
        said += part
    os.close(read)
    os.kill(child, 9)
    return said, os.waitpid(child, 0)[1]
