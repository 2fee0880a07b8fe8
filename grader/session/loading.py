"""Loading a hand-in into a worker: what came of it, and the names that it offers."""

from __future__ import annotations

from grader import wire
from grader.session import names
from grader.session.workers.budget import Budget
from grader.session.workers.exchange import Exchange
from grader.session.workers.faults import (
    StudentError,
    WorkerFault,
    WorkerTimeoutError,
    student_error,
)
from grader.submission import Submission

MAX_WARNINGS = 50  # that a worker may claim


class Loading:
    """Loads one exercise of ``submission``, into a fresh worker after any death.

    Args:
        submission: what was handed in.
        exercise: whose file is imported.
        asks: the names that the exercise asks for.
    """

    def __init__(self, submission: Submission, exercise: str, asks: list[str]) -> None:
        self._submission = submission
        self._exercise = exercise
        self._asks = asks
        self._failure: Exception | None = None
        self._died = False
        self._aliases: dict[str, str] | None = None
        self.warnings: list[str] = []
        self.near_names: dict[str, str] = {}

    def refuse_if_failed(self) -> None:
        """Raise again how loading ended when it would end so every time."""
        if self._failure is not None:
            raise self._failure

    def into(self, worker: Exchange, budget: Budget) -> None:
        """Load.

        Raises:
            WorkerFault or StudentError: it did not load.
        """
        files = self._submission.files
        sources = {
            name: {"kind": s.kind, "text": s.text, "cells": list(s.cells), "file": f}
            for name, s in files.items()
            if s.kind != "sheet"  # answers to a quiz are no module
            for f in [f"{name}.py"]
        }
        try:
            reply = checked(
                worker.request("load", [], [sources, self._exercise], budget)
            )
        except (WorkerFault, StudentError) as e:
            # An exception at import will come again, and so will what computes for
            # ever; a crash or a sleeper is given one more chance.
            endless = isinstance(e, WorkerTimeoutError) and not e.wall
            if isinstance(e, StudentError) or endless or self._died:
                self._failure = e
            self._died = True
            e.at_import = True
            raise
        told = reply.value.get("warnings") if isinstance(reply.value, dict) else None
        for warning in told[:MAX_WARNINGS] if isinstance(told, list) else []:
            if isinstance(warning, str) and warning[:300] not in self.warnings:
                self.warnings.append(warning[:300])
        self._find_names(worker, budget)

    def _find_names(self, worker: Exchange, budget: Budget) -> None:
        """Names near to those asked for stand in for them, with a warning."""
        if self._aliases is not None:
            return
        self._aliases = {}
        reply = checked(worker.request("names", [], None, budget))
        offered = names.claimed(reply.value)
        agreed = self._submission.aliases.get(self._exercise, {})
        self._aliases |= {a: n for a, n in agreed.items() if n in offered}
        self.near_names |= names.near(self._asks, offered, known=self._aliases)
        self._aliases |= self.near_names

    def alias(self, name: str) -> str:
        """The name under which the hand-in offers ``name``."""
        return (self._aliases or {}).get(name, name)


def checked(reply: wire.Reply) -> wire.Reply:
    """``reply``; raises ``StudentError`` if it tells of an exception."""
    if reply.failure is not None:
        raise student_error(reply.failure)
    return reply
