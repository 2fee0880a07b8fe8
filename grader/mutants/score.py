"""How many mutants a suite notices.

A mutant is graded as any hand-in is, in a warm session, and ended at its first
check that does not pass. What may go on for ever gets little time and memory.
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

import msgspec

from grader.errors import GraderError, SuiteError
from grader.mutants import equivalent
from grader.mutants.make import Mutant, mutants_of, sample
from grader.results import Outcome
from grader.submission import Source, Submission

if TYPE_CHECKING:
    from grader.session.grade import Grader

KILLED_LEAST = Decimal(98)  # percent of an exercise's mutants
CPU_S, MEMORY_MIB = 0.5, 512
TRAINED = 10  # mutants of a lab that its training checks are tried on


class Score(msgspec.Struct):
    """What became of an exercise's mutants; ``faults`` are sentences."""

    exercise: str
    mutants: int = 0
    killed: int = 0
    equivalent: int = 0
    untried: int = 0
    survivors: list[Mutant] = msgspec.field(default_factory=list)
    faults: list[str] = msgspec.field(default_factory=list)

    @property
    def percent(self) -> Decimal:
        """Killed of those that can be killed."""
        tried = self.mutants - self.equivalent - self.untried
        return Decimal(100 * self.killed) / tried if tried else Decimal(100)

    @property
    def enough(self) -> bool:
        """The suite notices what it must."""
        return not self.faults and self.percent >= KILLED_LEAST


def score_exercise(
    grader: Grader,
    name: str,
    seed: str,
    count: int | None = None,
    trained: int = TRAINED,
) -> Score:
    """Grade the mutants of ``name``: all, or a fixed sample of ``count``.

    Of a lab, what its quick checks leave alive is trained: ``trained`` of them.
    """
    solution = grader.references.path(name).read_text(encoding="utf-8")
    every = mutants_of(name, solution)
    listed = equivalent.read(grader.course.folder("variants") / name)
    score = Score(name)
    for digest in equivalent.stale(listed, every):
        score.faults.append(
            f"{name}: the reviewed mutant {digest} is no change of the solution"
        )
    tried = every
    if count is not None:
        tried = sample([m for m in every if m.digest not in listed], count)
    score.mutants = len(tried)
    judge = _Judge(grader, name, seed, solution)
    reviewed = [m for m in tried if m.digest in listed]
    score.faults += [
        f"{name}: the reviewed mutant {m.digest} is noticed by {check}"
        for m in reviewed
        if (check := judge.killer(m)) is not None
    ]
    lives = [m for m in tried if m not in reviewed and judge.killer(m) is None]
    if grader.course.exercises[name].kind == "lab":
        chosen = sample(lives, trained)
        score.untried = len(lives) - len(chosen)
        lives = [m for m in chosen if judge.killer(m, labs=True) is None]
    score.equivalent = len(reviewed)
    score.survivors = lives
    score.killed = score.mutants - score.equivalent - score.untried - len(lives)
    return score


class _Judge:
    """Grades mutants of one exercise with small limits."""

    def __init__(self, grader: Grader, name: str, seed: str, solution: str) -> None:
        self._grader = grader
        self._name = name
        grader.use(seed, {})
        grader.limits.check_cpu_s = CPU_S
        grader.limits.memory_mib = MEMORY_MIB
        # Else a check too slow for these limits would seem to kill everything.
        failing = self._failing("solution", solution, labs=False)
        if failing:
            raise SuiteError(f"{name}: {failing} fails the solution within {CPU_S} s.")

    def killer(self, mutant: Mutant, *, labs: bool = False) -> str | None:
        """The first check that ``mutant`` does not pass; None: it lives.

        Raises:
            GraderError: a check failed for a reason of its own.
        """
        return self._failing(mutant.digest, mutant.text, labs=labs)

    def _failing(self, id_: str, text: str, *, labs: bool) -> str | None:
        name = self._name
        source = Source(name, f"{name}.py", text.encode(), "py", text)
        graded = self._grader.run_exercise(
            Submission(id_, {name: source}), name, labs=labs, until_failure=True
        )
        last = graded.result.checks[-1]
        if last.outcome is Outcome.GRADER_ERROR:
            raise GraderError(
                f"{name}: mutant {id_} makes {last.id} fail by itself: {last.message}"
            )
        return None if last.outcome is Outcome.PASSED else last.id
