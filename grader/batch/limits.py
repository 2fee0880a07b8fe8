"""One scale of limits for a gradebook, so that late work is judged like early work.

Sessions measure the references on their host until every exercise has been
measured once; from then on all of them get those limits.
"""

from __future__ import annotations

import msgspec

from grader.batch.plan import Plan
from grader.gradebook import Gradebook


def known_limits(book: Gradebook, seed: str) -> dict[str, float] | None:
    """The limits that a gradebook has settled on for ``seed``, if it has."""
    text = book.get_setting(_setting(seed))
    if text is None:
        return None
    kept = msgspec.json.decode(text, type=dict[str, dict[str, float]])
    return {name: limit for limits in kept.values() for name, limit in limits.items()}


def _setting(seed: str) -> str:
    return f"limits of seed {seed}"


class LimitScale:
    """CPU seconds by "exercise/check"; kept as long as the gradebook's seed is."""

    def __init__(self, book: Gradebook, assigned: list[str]) -> None:
        self._book = book
        self._name = _setting(book.seed)
        self._missing = set(assigned)
        self._measured: dict[str, float] = {}
        self.known: dict[str, float] | None = None
        text = book.get_setting(self._name)
        if text is not None:
            kept = msgspec.json.decode(text, type=dict[str, dict[str, float]])
            self._missing -= kept.keys()
            for limits in kept.values():
                self._measured.update(limits)
            self._settle()

    def learn(self, limits: dict[str, float], plan: Plan) -> None:
        """Take over what a session measured; the more generous host counts."""
        if self.known is not None:
            return
        for name, limit in limits.items():
            self._measured[name] = max(limit, self._measured.get(name, 0.0))
        # A session measures an exercise when it first grades a file of it.
        measured = {name for name in plan.todo if name in plan.submission.files}
        if measured & self._missing:
            self._missing -= measured
            self._settle()
            if self.known is not None:
                self._book.set_setting(self._name, self._to_json(plan))

    def _settle(self) -> None:
        if not self._missing:
            self.known = self._measured

    def _to_json(self, plan: Plan) -> str:
        kept: dict[str, dict[str, float]] = {name: {} for name in plan.keys}
        for name, limit in self._measured.items():
            kept.setdefault(name.partition("/")[0], {})[name] = limit
        return msgspec.json.encode(kept).decode()
