"""What one exercise of a submission may use, and what it has used of it."""

from __future__ import annotations

from grader.session.checks import Check
from grader.session.limits import RunLimits, Spending
from grader.session.workers.budget import Budget
from grader.session.workers.exchange import Exchange
from grader.session.workers.faults import BudgetSpentError

TIMEOUTS_BEFORE_HURRY = 2
HURRY_S, HURRY_WALL_FACTOR = 1.0, 2.0
IMPORT_WALL_FACTOR = 3.0  # a file that sleeps as it is imported is rare, and slow


class Allowance:
    """Budgets of the checks and the import of one exercise.

    A worker's CPU clock starts with the worker, and a worker serves many checks:
    what a check has used is the difference to where the clock stood when it began.
    """

    def __init__(self, limits: RunLimits, spending: Spending) -> None:
        self.limits = limits
        self.spending = spending
        self.budget = Budget(limits.check_cpu_s, limits.check_cpu_s * 5)
        self.cpu_s = 0.0  # of the exercise until now
        self._patient = False
        self._timeouts = 0
        self._began_s = 0.0  # on the worker's clock

    def after_verdicts(self, limits: RunLimits, spending: Spending) -> None:
        """What runs from now on only explains: it has limits of its own."""
        self.limits, self.spending = limits, spending

    def begin(
        self, check: Check, worker: Exchange | None, *, patient: bool = False
    ) -> None:
        """A new budget for ``check``.

        Args:
            check: what is about to run.
            worker: that will run it, if there is one already.
            patient: confirms a wall timeout: twice the wall limit.
        """
        cpu, wall = self._allowed(check)
        if self.hurried:
            # What a slow host's reference takes still fits.
            half = 0.0 if check.cpu_s is not None else cpu / 2
            cpu = min(cpu, max(HURRY_S, half))
            wall = cpu * HURRY_WALL_FACTOR
        cpu *= self.limits.time_factor
        wall *= self.limits.time_factor * (2 if patient else 1)
        self._patient = patient
        self._began_s = worker.cpu_s() if worker else 0.0
        queued = worker.queued_s() if worker else 0.0
        self.budget = Budget(self._began_s + cpu, wall, queued, cpu)

    def _allowed(self, check: Check) -> tuple[float, float]:
        """CPU and wall seconds: the check's own budget, else the course's limits."""
        factor = self.limits.wall_factor
        if check.cpu_s is not None:
            return check.cpu_s, check.wall_s or check.cpu_s * factor
        cpu = self.limits.per_check.get(
            f"{check.exercise}/{check.id}", self.limits.check_cpu_s
        )
        return cpu, cpu * factor

    def refuse_if_spent(self) -> None:
        """Raise ``BudgetSpentError`` when the submission has used all that it may."""
        if self.spending.cpu_left_s <= 0 or self.spending.wall_left_s <= 0:
            raise BudgetSpentError

    def used_s(self, worker: Exchange | None) -> float:
        """CPU seconds of ``worker`` since the check, or the import, began."""
        return max(0.0, worker.cpu_s() - self._began_s) if worker else 0.0

    def book(self, worker: Exchange, budget: Budget) -> float:
        """Take from the submission what was used under ``budget``: CPU seconds."""
        used = self.used_s(worker)
        self.spending.cpu_left_s -= used
        self.spending.wall_left_s -= budget.waited_s
        self.cpu_s += used
        return used

    # -- importing --------------------------------------------------------

    def for_import(self, worker: Exchange) -> Budget:
        """Importing has a limit of its own: people train below their answer."""
        self._began_s = worker.cpu_s()
        cpu = min(self.limits.import_cpu_s, max(self.spending.cpu_left_s, HURRY_S))
        cpu *= self.limits.time_factor
        wall = cpu * IMPORT_WALL_FACTOR * (2 if self._patient else 1)
        return Budget(self._began_s + cpu, wall, worker.queued_s(), cpu)

    def after_import(self, worker: Exchange, imported: Budget) -> None:
        """What the import used is the submission's; the check's own budget is whole."""
        self.book(worker, imported)
        self._began_s = worker.cpu_s()
        self.budget.cpu_s = self._began_s + self.budget.allowed_s
        self.budget.queued_s = worker.queued_s() if worker.alive else 0.0

    # -- checks that ran out of time --------------------------------------

    @property
    def hurried(self) -> bool:
        """True once so many checks ran out of time that the rest must hurry."""
        return self._timeouts >= TIMEOUTS_BEFORE_HURRY

    def count_timeout(self) -> None:
        """After two of them the other checks of the exercise get one second.

        A wall timeout that was confirmed has been seen twice.
        """
        self._timeouts += 2 if self._patient else 1
