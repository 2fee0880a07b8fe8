"""One exercise of one submission: its worker, its limits, what it answered."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from grader import wire
from grader.errors import EnvironmentFault
from grader.results import Figure
from grader.session import arrays
from grader.session.allowance import Allowance
from grader.session.checks import Check
from grader.session.journal import TOO_MUCH, Call, bytes_of
from grader.session.limits import RunLimits, Spending
from grader.session.loading import Loading, checked
from grader.session.workers.exchange import Exchange, Workers
from grader.session.workers.faults import (
    BrokeProtocolError,
    WorkerCrashedError,
)
from grader.submission import Submission

if TYPE_CHECKING:
    import torch
else:
    from grader.session.tensors import torch

KEPT_BYTES = 4 << 20  # of answers, for each exercise: enough for honest ones


def seed_of(seed: int, check: str = "") -> int:
    """For a worker's generators, in a check or as the file is imported, 63 bits.

    Student code can read it: it must not tell which check is asking.
    """
    key = seed.to_bytes(8, "big")
    digest = hashlib.blake2b(check.encode(), key=key, digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 1


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
        self._seed = seed
        self._kit = kit
        self._kit_sent = False
        self._worker: Exchange | None = None
        self._check_seed = seed_of(seed)
        self.allowance = Allowance(limits, spending)
        self.loading = Loading(submission, exercise, asks)
        self._inputs: list[tuple[torch.Tensor, tuple[int, int]]] = []
        self.calls: list[Call] = []
        self.failure = ""  # signature of how the last check failed
        self.asked: tuple[list[Any], Any, Any] | None = None
        self._kept = 0
        # Of a lab: what its checks share, what the running one draws, and whom
        # to tell of progress.
        self.kept: dict[str, Any] = {}
        self.figures: list[Figure] = []
        self.tell: Callable[[str, wire.Note], None] | None = None
        self.label("", 0, None)

    # -- a check's frame --------------------------------------------------

    def begin_check(self, check: Check, *, patient: bool = False) -> None:
        """A new budget; a fresh worker when the check asks for one.

        Args:
            check: what is about to run.
            patient: confirms a wall timeout: twice the wall limit.

        Raises:
            BudgetSpentError: the submission has used all that it may.
        """
        self.allowance.refuse_if_spent()
        if check.fresh:
            self.end_worker()
        self.allowance.begin(check, self._worker, patient=patient)
        self._check_seed = seed_of(self._seed, check.id)
        if self._worker is not None:
            self._worker.seed = self._check_seed
        self.calls = []
        self.asked = None
        self.figures = []
        self._inputs = []

    def end_check(self) -> tuple[float, str]:
        """CPU seconds and captured output of the check that ends."""
        if self._worker is None:
            return 0.0, ""
        used = self.allowance.book(self._worker, self.allowance.budget)
        output = self._worker.take_output()
        if not self._worker.alive:
            self._worker = None
        return used, output

    # -- workers ----------------------------------------------------------

    def worker(self) -> Exchange:
        """The live worker with the hand-in loaded.

        Raises:
            WorkerFault or StudentError: loading failed, now or before.
        """
        if self._worker is not None and self._worker.alive:
            return self._worker
        self.loading.refuse_if_failed()
        self._start()
        assert self._worker is not None
        return self._worker

    def _start(self) -> None:
        worker = self._workers.worker(
            seed=seed_of(self._seed),
            # The kernel's own limit is a backstop for the session's.
            cpu_s=int(self.allowance.spending.cpu_s) + 10,
            memory_mib=self.allowance.limits.memory_mib,
        )
        self._worker = worker
        worker.on_note = self._on_note
        self._kit_sent = False
        try:
            worker.wait_ready()
        except WorkerCrashedError as e:
            said = worker.take_output().strip()[-300:]
            raise EnvironmentFault(f"a worker did not lock down: {said}") from e
        imported = self.allowance.for_import(worker)
        try:
            self.loading.into(worker, imported)
        finally:
            self.allowance.after_import(worker, imported)
        worker.seed = self._check_seed

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
        return self.allowance.used_s(self._worker)

    def cpu_allowed_s(self) -> float:
        """CPU seconds that this check may use."""
        return self.allowance.budget.allowed_s

    # -- calls ------------------------------------------------------------

    def alias(self, name: str) -> str:
        """The name under which the hand-in offers ``name``."""
        self.worker()
        return self.loading.alias(name)

    def need_kit(self) -> None:
        """Send our kit to the worker, once."""
        worker = self.worker()
        if not self._kit_sent:
            checked(worker.request("kit", [], self._kit or "", self.allowance.budget))
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
            self.allowance.budget,
            grad=grad,
            on_sent=sent.append,
            on_tensor=on_tensor,
            handle=on_handle,
        )
        if student or target[0] == "object":
            self._inputs = list(zip(sent, worker.places, strict=False))
        return worker, checked(reply)

    def request(
        self, op: str, target: list[Any], value: Any, *, worker: Exchange
    ) -> wire.Reply:
        """Another operation on ``worker``, which must still be the live one."""
        if worker is not self._worker or not worker.alive:
            raise self.lost_object()
        return checked(worker.request(op, target, value, self.allowance.budget))

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
