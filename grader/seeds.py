"""``python -m grader.seeds [NAME]...``: no verdict may depend on luck.

Every reference, right variant and named mistake is graded under many seeds.
Each check must come out the same way under all of them: one that does not is
mended, never tried again. A right answer that uses up most of a tolerance under
some seed will fail under another that was not tried: that is a fault as well.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from rich.console import Console
from rich.table import Table

from grader import spread
from grader.commands.console import make_console
from grader.course import Course
from grader.errors import GraderError
from grader.results import CheckResult, Outcome
from grader.submission import as_submission

if TYPE_CHECKING:
    from grader.session.grade import Grader
    from grader.session.graded import Graded
    from grader.session.journal import Call

SEEDS, LAB_SEEDS = 200, 10  # training takes long
SEED = "seeds-{}"
# A share of a tolerance that no right answer may come to by luck: of one that is five
# standard deviations, a few statistics under two hundred seeds use up to 3.7. One
# that comes as near under every seed does it with numbers that are written down.
NEAR, ALIKE = 0.75, 1.5


class Steadiness(msgspec.Struct):
    """What came of an exercise's answers; ``faults`` are sentences."""

    exercise: str
    seeds: int
    answers: int = 0
    nearest: float = 0.0  # share of a tolerance that a right answer used by luck
    faults: list[str] = msgspec.field(default_factory=list)


def answers_of(course: Course, name: str) -> dict[str, Path]:
    """Every answer whose verdict is known, by what it is called in a report."""
    from grader.session.naming.namer import load_mistakes, ways  # torch, if it is used

    right = sorted((course.folder("variants") / name).glob("*.py"))
    wrong = course.folder("mistakes") / name
    found = {"the reference": course.folder("solutions") / f"{name}.py"}
    found |= {f"variant {path.stem}": path for path in right}
    modules = ways(load_mistakes(wrong))
    return found | {f"mistake {name}": wrong / f"{name}.py" for name in modules}


def steadiness(grader: Grader, name: str, seeds: int) -> Steadiness:
    """Try every answer of ``name`` under so many seeds.

    Of a lab only right answers are trained, and under a few seeds.
    """
    answers = answers_of(grader.course, name)
    lab = grader.course.exercises[name].kind == "lab"
    seen = Steadiness(name, seeds, len(answers))
    tried = {a: _Tried(grader, name, path) for a, path in answers.items()}
    for number in range(seeds):
        grader.use(SEED.format(number), {})
        for answer in tried:
            trains = lab and number < LAB_SEEDS and not _is_wrong(answer)
            tried[answer].under_this_seed(trains=trains)
    for answer, one in tried.items():
        for check, count in one.ran.items():
            right = one.passed[check]
            if right < count and (right or not _is_wrong(answer)):
                seen.faults.append(
                    f"{name}: {answer} passes {check} under {right} of {count} seeds"
                )
        for check, share in one.by_luck().items() if not _is_wrong(answer) else ():
            seen.nearest = max(seen.nearest, share)
            if share > NEAR:
                seen.faults.append(
                    f"{name}: {answer} uses {share:.0%} of a tolerance of {check}"
                )
    return seen


class _Tried:
    """One answer, and what came of it under each seed.

    Seeds after the first are run in this process. A verdict that is not the
    first one's is a worker's: what it takes two to notice is none of luck's.
    """

    def __init__(self, grader: Grader, name: str, path: Path) -> None:
        self._grader = grader
        self._name = name
        self._submission = as_submission(path, name)
        self._first: dict[str, bool] | None = None
        self._alike = True  # a worker's verdicts and those of this process
        self.ran, self.passed = Counter[str](), Counter[str]()
        self._shares: dict[str, list[float]] = {}  # most of each seed, by check

    def under_this_seed(self, *, trains: bool) -> None:
        """Run it once more and count what passes."""
        if self._first is None:
            found = self._first = self._graded(trains=trains)
            self._alike = self._is_as_first(self._graded(inside=True))
        elif trains or not self._alike:
            found = self._graded(trains=trains)
        else:
            found = self._graded(inside=True)
            if not self._is_as_first(found):
                found = self._graded()
        for check, right in found.items():
            self.ran[check] += 1
            self.passed[check] += right

    def _is_as_first(self, found: dict[str, bool]) -> bool:
        assert self._first is not None
        return found.items() <= self._first.items()

    def _graded(self, *, trains: bool = False, inside: bool = False) -> dict[str, bool]:
        from grader.session.nearness import watched  # torch, if it is used

        with watched() as shares:

            def go_on(result: CheckResult, _calls: list[Call]) -> bool:
                if shares and result.outcome is Outcome.PASSED:
                    self._shares.setdefault(result.id, []).append(max(shares))
                shares.clear()
                return True

            graded = self._grader.run_exercise(
                self._submission, self._name, labs=trains, inside=inside, go_on=go_on
            )
        return _verdicts(graded)

    def by_luck(self) -> dict[str, float]:
        """Of each check the largest share of a tolerance that a seed made larger."""
        return {
            check: max(shares)
            for check, shares in self._shares.items()
            if max(shares) > ALIKE * min(shares)
        }


def further_faults(grader: Grader, name: str, seeds: Sequence[str]) -> list[str]:
    """What does not hold under ``seeds``, of answers that another seed was tried on.

    Right answers pass everything, each mistake fails what it must. Nothing is
    trained, and a mistake runs only the checks that it must fail.
    """
    from grader.session.naming.namer import load_mistakes, ways  # torch, if it is used

    folder = grader.course.folder("mistakes") / name
    must = {f"mistake {k}": w.fails for k, w in ways(load_mistakes(folder)).items()}
    answers = answers_of(grader.course, name)
    known = {a: as_submission(path, name) for a, path in answers.items()}
    faults = []
    for seed in seeds:
        grader.use(seed, {})
        for answer, submission in known.items():
            fails = must.get(answer)
            # Only a worker's verdict counts against an answer.
            for inside in (True, False):
                found = _verdicts(
                    grader.run_exercise(
                        submission, name, labs=False, inside=inside, only=fails
                    )
                )
                if _is_as_it_must(found, fails):
                    break
            else:
                words = ", ".join(c for c, right in found.items() if not right)
                faults.append(
                    f"{name}: {answer} fails {words or 'nothing'} (seed {seed})"
                )
    return faults


def _is_as_it_must(found: dict[str, bool], fails: list[str] | None) -> bool:
    if fails is None:
        return all(found.values())
    return not any(found.get(check) for check in fails)


def _verdicts(graded: Graded) -> dict[str, bool]:
    return {c.id: c.outcome is Outcome.PASSED for c in graded.result.checks}


def _is_wrong(answer: str) -> bool:
    return answer.startswith("mistake ")


def main(argv: list[str] | None = None) -> int:
    """0 when no verdict depends on the seed, 1 when one does."""
    parser = spread.parser("grader.seeds")
    parser.add_argument("--seeds", "-n", type=int, default=SEEDS)
    options = parser.parse_args(argv)
    try:
        found = _found(options)
    except GraderError as e:
        print(f"grader: error: {e}", file=sys.stderr)
        return e.exit_code
    if options.json:
        sys.stdout.buffer.write(msgspec.json.encode(found) + b"\n")
    else:
        _show(make_console(), found)
    return 1 if any(s.faults for s in found) else 0


def _found(options: argparse.Namespace) -> list[Steadiness]:
    course, names, jobs = spread.asked(options)
    if jobs == 1:
        return spread.in_session(
            course, names, lambda g, name: steadiness(g, name, options.seeds)
        )
    command = ["grader.seeds", "--course", str(options.course)]
    command += ["--seeds", str(options.seeds)]
    printed = spread.in_processes(command, names, jobs)
    found = [s for o in printed for s in msgspec.json.decode(o, type=list[Steadiness])]
    return sorted(found, key=lambda s: names.index(s.exercise))


def _show(console: Console, found: list[Steadiness]) -> None:
    grid = Table(box=None, pad_edge=False)
    grid.add_column("exercise", no_wrap=True)
    for title in ("answers", "seeds", "by luck", "nearest"):
        grid.add_column(title, justify="right")
    for s in found:
        told = (s.answers, s.seeds, len(s.faults), f"{s.nearest:.0%}")
        grid.add_row(s.exercise, *map(str, told))
    console.print(grid)
    faults = [f for s in found for f in s.faults]
    for fault in faults:
        print(f"FAULT {fault}")
    words = f"{len(faults)} faults" if faults else "no verdict depends on the seed"
    console.print(words, style="bold")


if __name__ == "__main__":
    sys.exit(main())
