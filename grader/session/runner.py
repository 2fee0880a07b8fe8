"""One exercise of one submission: its worker, its limits, what it answered."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from grader import wire
from grader.errors import EnvironmentFault
from grader.results import Figure
from grader.session import arrays, names
from grader.session.budget import Budget
from grader.session.checks import Check
from grader.session.exchange import Exchange, Workers
from grader.session.faults import (
    BrokeProtocolError,
    BudgetSpentError,
    StudentError,
    WorkerCrashedError,
    WorkerFault,
    WorkerTimeoutError,
    student_error,
)
from grader.session.journal import TOO_MUCH, Call, bytes_of
from grader.session.limits import RunLimits, Spending
from grader.submission import Submission

if TYPE_CHECKING:
    import torch
else:
    from grader.session.tensors import torch

TIMEOUTS_BEFORE_HURRY = 2
HURRY_S, HURRY_WALL_FACTOR = 1.0, 2.0
MAX_WARNINGS = 50  # that a worker may claim
IMPORT_WALL_FACTOR = 3.0  # a file that sleeps as it is imported is rare, and slow
KEPT_BYTES = 4 << 20  # of answers, for each exercise: enough for honest ones


class Runner:
    """Runs one exercise's calls in a worker, a fresh one after any death."""

    def __init__(
        self,
        workers: Workers,
        submission: Submission,
        exercise: str,
        *,
        asks: list[str],
        seed: int,
        limits: RunLimits,
        spending: Spending,
        kit: str | None,
    ) -> None:
        self._workers = workers
        self.submission = submission
        self.exercise = exercise
        self._asks = asks
        self._seed = seed
        self._limits = limits
        self._spending = spending
        self._kit = kit
        self._kit_sent = False
        self._worker: Exchange | None = None
        self._load_failure: Exception | None = None
        self._load_died = False
        self._patient = False
        self._check_seed = seed
        self._timeouts = 0
        self._budget = Budget(limits.check_cpu_s, limits.check_cpu_s * 5)
        self._inputs: list[tuple[torch.Tensor, tuple[int, int]]] = []
        self._aliases: dict[str, str] | None = None
        self.warnings: list[str] = []
        self.near_names: dict[str, str] = {}
        self.calls: list[Call] = []
        self.failure = ""  # signature of how the last check failed
        self.asked: tuple[list[Any], Any, Any] | None = None
        self._kept = 0
        self.cpu_s = 0.0
        self._check_cpu0 = 0.0
        # Of a lab: what its checks share, what the running one draws, and whom
        # to tell of progress.
        self.kept: dict[str, Any] = {}
        self.figures: list[Figure] = []
        self.tell: Callable[[str, wire.Note], None] | None = None
        self.label("", 0, None)

    def after_verdicts(self, limits: RunLimits, spending: Spending) -> None:
        """What runs from now on only explains: it has limits of its own."""
        self._limits, self._spending = limits, spending

    # -- a check's frame --------------------------------------------------

    def begin_check(self, check: Check, *, patient: bool = False) -> None:
        """A new budget; a fresh worker when the check asks for one.

        Args:
            check: what is about to run.
            patient: confirms a wall timeout: twice the wall limit.

        Raises:
            BudgetSpentError: the submission has used all that it may.
        """
        if self._spending.cpu_left_s <= 0 or self._spending.wall_left_s <= 0:
            raise BudgetSpentError
        if check.fresh:
            self.end_worker()
        cpu, wall = self._allowed(check)
        if self.hurried:
            # What a slow host's reference takes still fits.
            half = 0.0 if check.cpu_s is not None else cpu / 2
            cpu = min(cpu, max(HURRY_S, half))
            wall = cpu * HURRY_WALL_FACTOR
        cpu *= self._limits.time_factor
        self._patient = patient
        self._check_cpu0 = self._worker.cpu_s() if self._worker else 0.0
        wall *= self._limits.time_factor * (2 if patient else 1)
        queued = self._worker.queued_s() if self._worker else 0.0
        self._budget = Budget(self._check_cpu0 + cpu, wall, queued, cpu)
        self._check_seed = self._seed ^ zlib.crc32(check.id.encode())
        if self._worker is not None:
            self._worker.seed = self._check_seed
        self.calls = []
        self.asked = None
        self.figures = []
        self._inputs = []

    def _allowed(self, check: Check) -> tuple[float, float]:
        """CPU and wall seconds: the check's own budget, else the course's limits."""
        factor = self._limits.wall_factor
        if check.cpu_s is not None:
            return check.cpu_s, check.wall_s or check.cpu_s * factor
        cpu = self._limits.per_check.get(
            f"{check.exercise}/{check.id}", self._limits.check_cpu_s
        )
        return cpu, cpu * factor

    @property
    def hurried(self) -> bool:
        """True once so many checks ran out of time that the rest must hurry."""
        return self._timeouts >= TIMEOUTS_BEFORE_HURRY

    def end_check(self) -> tuple[float, str]:
        """CPU seconds and captured output of the check that ends."""
        if self._worker is None:
            return 0.0, ""
        used = max(0.0, self._worker.cpu_s() - self._check_cpu0)
        self._spending.cpu_left_s -= used
        self._spending.wall_left_s -= self._budget.waited_s
        self.cpu_s += used
        output = self._worker.take_output()
        if not self._worker.alive:
            self._worker = None
        return used, output

    def count_timeout(self) -> None:
        """After two of them the other checks of the exercise get one second.

        A wall timeout that was confirmed has been seen twice.
        """
        self._timeouts += 2 if self._patient else 1

    # -- workers ----------------------------------------------------------

    def worker(self) -> Exchange:
        """The live worker with the hand-in loaded.

        Raises:
            WorkerFault or StudentError: loading failed, now or before.
        """
        if self._worker is not None and self._worker.alive:
            return self._worker
        if self._load_failure is not None:
            raise self._load_failure
        self._start()
        assert self._worker is not None
        return self._worker

    def _start(self) -> None:
        worker = self._workers.worker(
            seed=self._seed,
            # The kernel's own limit is a backstop for the session's.
            cpu_s=int(self._spending.cpu_s) + 10,
            memory_mib=self._limits.memory_mib,
        )
        self._worker = worker
        worker.on_note = self._on_note
        self._kit_sent = False
        try:
            worker.wait_ready()
        except WorkerCrashedError as e:
            said = worker.take_output().strip()[-300:]
            raise EnvironmentFault(f"a worker did not lock down: {said}") from e
        try:
            self._load(worker)
        finally:
            self._begin_anew(worker)
        worker.seed = self._check_seed

    def _import_budget(self, worker: Exchange) -> Budget:
        """Importing has a limit of its own: people train below their answer."""
        start = worker.cpu_s()
        cpu = min(self._limits.import_cpu_s, max(self._spending.cpu_left_s, HURRY_S))
        cpu *= self._limits.time_factor
        wall = cpu * IMPORT_WALL_FACTOR * (2 if self._patient else 1)
        return Budget(start + cpu, wall, worker.queued_s(), cpu)

    def _begin_anew(self, worker: Exchange) -> None:
        """What the import used is the submission's; the check's own budget is whole."""
        used = max(0.0, worker.cpu_s() - self._check_cpu0)
        self._spending.cpu_left_s -= used
        self._spending.wall_left_s -= self._import.waited_s
        self.cpu_s += used
        self._check_cpu0 = worker.cpu_s()
        self._budget.cpu_s = self._check_cpu0 + self._budget.allowed_s
        self._budget.queued_s = worker.queued_s() if worker.alive else 0.0

    def _load(self, worker: Exchange) -> None:
        self._check_cpu0 = worker.cpu_s()
        self._import = self._import_budget(worker)
        sources = {
            name: {"kind": s.kind, "text": s.text, "cells": list(s.cells), "file": f}
            for name, s in self.submission.files.items()
            if s.kind != "sheet"  # answers to a quiz are no module
            for f in [f"{name}.py"]
        }
        try:
            reply = self._checked(
                worker.request("load", [], [sources, self.exercise], self._import)
            )
        except (WorkerFault, StudentError) as e:
            # An exception at import will come again, and so will what computes for
            # ever; a crash or a sleeper is given one more chance.
            endless = isinstance(e, WorkerTimeoutError) and not e.wall
            if isinstance(e, StudentError) or endless or self._load_died:
                self._load_failure = e
            self._load_died = True
            e.at_import = True
            raise
        told = reply.value.get("warnings") if isinstance(reply.value, dict) else None
        for warning in told[:MAX_WARNINGS] if isinstance(told, list) else []:
            if isinstance(warning, str) and warning[:300] not in self.warnings:
                self.warnings.append(warning[:300])
        self._find_names(worker)

    def _find_names(self, worker: Exchange) -> None:
        """Names near to those asked for stand in for them, with a warning."""
        if self._aliases is not None:
            return
        self._aliases = {}
        reply = self._checked(worker.request("names", [], None, self._import))
        offered = names.claimed(reply.value)
        agreed = self.submission.aliases.get(self.exercise, {})
        self._aliases |= {a: n for a, n in agreed.items() if n in offered}
        self.near_names |= names.near(self._asks, offered, known=self._aliases)
        self._aliases |= self.near_names

    def end_worker(self) -> None:
        """Let the worker go, if there is one, and what was asked of it."""
        # Every node of a graph knows its runner: a runner that kept an answer
        # would live as long as it, which is for ever.
        self.calls, self.asked, self._inputs = [], None, []
        if self._worker is not None:
            self._worker.done()
            self._worker = None

    # -- labs -------------------------------------------------------------

    def label(self, words: str, done: int, most: int | None) -> None:
        """What runs now: our words, steps done before it, the most in all."""
        self._label, self._done, self._most = words, done, most

    def _on_note(self, note: wire.Note) -> None:
        if self.tell is not None:
            steps = note.steps if self._most is None else self._most
            shown = wire.Note(self._done + note.step, steps, note.value)
            self.tell(self._label, shown)

    def reseed(self, number: int) -> None:
        """Seed the worker's generators for try ``number`` of this check."""
        self.worker().seed = self._check_seed ^ (number << 32)

    def cpu_used_s(self) -> float:
        """CPU seconds that this check has used."""
        used = self._worker.cpu_s() - self._check_cpu0 if self._worker else 0.0
        return max(0.0, used)

    def cpu_allowed_s(self) -> float:
        """CPU seconds that this check may use."""
        return self._budget.allowed_s

    # -- calls ------------------------------------------------------------

    def alias(self, name: str) -> str:
        """The name under which the hand-in offers ``name``."""
        self.worker()
        return (self._aliases or {}).get(name, name)

    def need_kit(self) -> None:
        """Send our kit to the worker, once."""
        worker = self.worker()
        if not self._kit_sent:
            self._checked(worker.request("kit", [], self._kit or "", self._budget))
            self._kit_sent = True

    def call(
        self,
        target: list[Any],
        value: Any,
        grad: bool,
        on_tensor: Callable[[Any], None],
        on_handle: Callable[[int], Any] | None,
    ) -> tuple[Exchange, wire.Reply]:
        """One call; the tensors of its answer are told in order."""
        worker = self.worker()
        sent: list[torch.Tensor] = []
        if target[0] == "lib" and len(target) > 1 and target[1] == "kit":
            self.need_kit()
        student = target[0] == "student"
        reply = worker.request(
            "call",
            target,
            value,
            self._budget,
            grad=grad,
            on_sent=sent.append,
            on_tensor=on_tensor,
            handle=on_handle,
        )
        if student or target[0] == "object":
            self._inputs = list(zip(sent, worker.places, strict=False))
        return worker, self._checked(reply)

    def request(
        self, op: str, target: list[Any], value: Any, *, worker: Exchange
    ) -> wire.Reply:
        """Another operation on ``worker``, which must still be the live one."""
        if worker is not self._worker or not worker.alive:
            raise self.lost_object()
        return self._checked(worker.request(op, target, value, self._budget))

    def _checked(self, reply: wire.Reply) -> wire.Reply:
        if reply.failure is not None:
            raise student_error(reply.failure)
        return reply

    def broken(self, why: str) -> BrokeProtocolError:
        """Kill the worker; the error to raise."""
        if self._worker is not None:
            self._worker.kill()
            self._worker = None
        return BrokeProtocolError(why)

    @staticmethod
    def lost_object() -> WorkerCrashedError:
        """An object whose worker is gone."""
        return WorkerCrashedError("the process ended before this call")

    def last_inputs(self) -> list[tuple[torch.Tensor, torch.Tensor]]:
        """Tensors of the last call: (as sent, as they stand in our memory now)."""
        pairs: list[tuple[Any, Any]] = []
        for tensor, (number, offset) in self._inputs:
            if self._worker is None or not self._worker.alive:
                continue
            if not isinstance(tensor, torch.Tensor):
                read = partial(self._worker.arenas.read, number, offset)
                pairs.append(arrays.as_sent_and_now(tensor, read))
                continue
            plain = wire.in_order(tensor)
            size = plain.numel() * plain.element_size()
            if not size:
                continue
            raw = bytearray(self._worker.arenas.read(number, offset, size))
            # A bool of memory that a worker may write is read as a byte.
            dtype = torch.uint8 if plain.dtype is torch.bool else plain.dtype
            after = torch.frombuffer(raw, dtype=dtype)
            pairs.append((plain.reshape(-1).view(dtype), after))
        return pairs

    def journal(self, target: list[Any], args: Any, kwargs: Any, value: Any) -> None:
        """Keep a call for naming the mistake and for the report.

        Answers are kept until the exercise is graded: huge ones are not.
        """
        self._kept += bytes_of(value)
        if self._kept > KEPT_BYTES:
            value = TOO_MUCH
        self.calls.append(Call(target, args, kwargs, value))

    def timed_out(self, error: BaseException) -> bool:
        """True for a wall timeout, which is to be confirmed once."""
        return isinstance(error, WorkerTimeoutError) and error.wall and not error.sure
