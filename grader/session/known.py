"""Answers of our own, run in this process: many seeds for little.

A reference, a right variant or a named mistake is trusted code. Without a worker
and messages its checks cost a quarter, so whoever proves something under many
seeds runs most of them here. What a worker would answer is what counts: the
first seed is graded in both ways, and answers that differ go the long way.
"""

from __future__ import annotations

import contextlib
import io
import sys
import types
import warnings
import zlib
from collections.abc import Callable, Container, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.session.case import case_seed
from grader.session.checks import Check, with_budgets
from grader.session.lab import Lab
from grader.session.local import LocalMachine, LocalStudent
from grader.worker import ready_made
from grader.worker.seeding import as_new, seed_everything

if TYPE_CHECKING:
    import torch

    from grader.session.grade import Grader
else:
    from grader.session.tensors import torch


class KnownAnswer:
    """One file, compiled once; its module is made anew for every seed."""

    def __init__(self, grader: Grader, name: str, path: Path) -> None:
        self._grader = grader
        self._name = name
        self._code = compile(path.read_bytes(), str(path), "exec", dont_inherit=True)
        kit = grader.course.folder("suites") / f"kit_{name}.py"
        self._kit = (
            compile(kit.read_bytes(), str(kit), "exec", dont_inherit=True)
            if kit.exists()
            else None
        )
        checks = grader.plugin.checks.get(name, [])
        left_out = with_budgets(checks)
        self._checks = [c for c in checks if c.id not in left_out]

    def passes(self, wanted: Container[str] | None = None) -> dict[str, bool]:
        """Which checks it passes under the grader's seed.

        Args:
            wanted: run these alone. None: all; but never one with a budget.
        """
        found: dict[str, bool] = {}
        seed = case_seed(self._grader.seed, self._name, "worker")
        silent = io.StringIO()
        with (
            contextlib.redirect_stdout(silent),
            contextlib.redirect_stderr(silent),
            warnings.catch_warnings(),
        ):
            warnings.simplefilter("ignore")
            offered = self._offered(seed)
            for check in self._checks:
                if wanted is not None and check.id not in wanted:
                    continue
                if check.fresh:
                    offered = self._offered(seed)
                seed_everything(seed ^ zlib.crc32(check.id.encode()))
                offered["student"].mode.begin()
                awaited = all(found.get(other, False) for other in check.after)
                found[check.id] = awaited and self._passes(check, offered)
            as_new()
            torch.set_grad_enabled(True)
        sys.modules.pop(self._name, None)
        return found if wanted is not None else self._gated(found)

    def _offered(self, seed: int) -> dict[str, Any]:
        """The fixtures that stand for a new worker."""
        seed_everything(seed)
        libraries = types.SimpleNamespace(torch=torch, ready_made=ready_made)
        if self._kit is not None:
            libraries.kit = types.ModuleType("kit")
            exec(self._kit, libraries.kit.__dict__)
        module = types.ModuleType(self._name)
        sys.modules[self._name] = module
        exec(self._code, module.__dict__)
        student, worker = Copying(module), Copying(libraries, handles=True)
        worker.mode = student.mode
        return {
            "student": student,
            "worker": worker,
            "reference": self._grader.references.module(self._name),
            "lab": Lab(LocalMachine()),
        }

    def _passes(self, check: Check, offered: dict[str, Any]) -> bool:
        fixtures = offered | {"case": self._grader.attempts.case(check)}
        try:
            check.item.function(**{n: fixtures[n] for n in check.item.fixturenames})
        except KeyboardInterrupt:
            raise
        except BaseException:  # pytest's own outcomes are no Exception
            return False
        return True

    def _gated(self, found: dict[str, bool]) -> dict[str, bool]:
        """A property that doing nothing has as well scores only beside a number."""
        if not any(found[c.id] for c in self._checks if c.numeric):
            found |= {c.id: False for c in self._checks if c.gated}
        return found


class GradMode:
    """A worker's own mode: the session's when that changes, else as it was left."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """A check begins: nothing of the last one stays, as in a worker."""
        self._told = self._own = True

    @contextlib.contextmanager
    def of_a_call(self) -> Iterator[None]:
        """The worker's within, the session's again after it."""
        here = torch.is_grad_enabled()
        if here is not self._told:
            self._told = self._own = here
        torch.set_grad_enabled(self._own)
        try:
            yield
        finally:
            self._own = torch.is_grad_enabled()
            torch.set_grad_enabled(here)


class Copying(LocalStudent):
    """Calls here that share no memory with the caller, as those of a worker."""

    def __init__(self, target: Any, handles: bool = False) -> None:
        super().__init__(target, handles)
        self.mode = GradMode()

    def __getattr__(self, name: str) -> Any:
        found = super().__getattr__(name)
        if isinstance(found, Copying):  # a library within: of the same worker
            found.mode = self.mode
        return found

    def _call(self, target: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        args, kwargs = _copied(args), _copied(kwargs)
        with self.mode.of_a_call():
            return super()._call(target, args, kwargs)


def _copied(value: Any) -> Any:
    """``value`` with its tensors copied; those that carry a gradient stay."""
    if isinstance(value, torch.Tensor):
        return value if value.requires_grad else value.clone()
    if type(value).__name__ == "ndarray":
        return value.copy()
    if type(value) in (list, tuple):
        return type(value)(_copied(v) for v in value)
    if type(value) is dict:
        return {k: _copied(v) for k, v in value.items()}
    return value
