"""How many mutants a suite notices.

A mutant is graded as any hand-in is, in a warm session, and ended at its first
check that does not pass. What may go on for ever gets little time and memory.
"""

from __future__ import annotations

from decimal import Decimal

import msgspec

from grader.errors import GraderError
from grader.mutants import equivalent
from grader.mutants.make import Mutant, mutants_of, sample
from grader.results import Outcome
from grader.session.grade import Grader
from grader.submission import Source, Submission

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
    grader: Grader, name: str, seed: str, count: int | None = None
) -> Score:
    """Grade the mutants of ``name``: all, or a fixed sample of ``count``."""
    solution = grader.solution_path(name)
    every = mutants_of(name, solution.read_text(encoding="utf-8"))
    listed = equivalent.read(grader.course.folder("variants") / name)
    score = Score(name)
    for digest in equivalent.stale(listed, every):
        score.faults.append(
            f"{name}: the reviewed mutant {digest} is no change of the solution"
        )
    tried = every if count is None else sample(every, count)
    score.mutants = len(tried)
    score.equivalent = sum(m.digest in listed for m in tried)
    judge = _Judge(grader, name, seed)
    lives = [m for m in tried if m.digest not in listed and not judge.kills(m)]
    if grader.course.exercises[name].kind == "lab":
        trained, spared = sample(lives, TRAINED), len(lives) - TRAINED
        lives = [m for m in trained if not judge.kills(m, labs=True)]
        score.untried = max(0, spared)
    score.survivors = lives
    score.killed = score.mutants - score.equivalent - score.untried - len(lives)
    return score


class _Judge:
    """Grades mutants of one exercise with small limits."""

    def __init__(self, grader: Grader, name: str, seed: str) -> None:
        self._grader = grader
        self._name = name
        grader.use(seed)
        grader.limits.check_cpu_s = CPU_S
        grader.limits.memory_mib = MEMORY_MIB
        grader.calibrate(name)

    def kills(self, mutant: Mutant, *, labs: bool = False) -> bool:
        """True when some check does not pass.

        Raises:
            GraderError: a check failed for a reason of its own.
        """
        name = self._name
        data = mutant.text.encode()
        source = Source(name, f"{name}.py", data, "py", mutant.text)
        graded = self._grader.run_exercise(
            Submission(mutant.digest, {name: source}),
            name,
            labs=labs,
            until_failure=True,
        )
        last = graded.result.checks[-1]
        if last.outcome is Outcome.GRADER_ERROR:
            raise GraderError(
                f"{name}: mutant {mutant.digest} makes {last.id} fail by itself: "
                f"{last.message}"
            )
        return last.outcome is not Outcome.PASSED
