"""The floor: the same checks called in one process, without any boundary.

As a program it grades the solutions once for each line that it reads and
answers with the seconds that this took, so that it can be measured in turns
with a session:

    python -m grader.bench.inprocess COURSE_DIR EXERCISE...
"""

from __future__ import annotations

import inspect
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from grader.course import Course, load_course
from grader.session.case import Case, case_seed
from grader.session.local import LocalStudent, checks_of, libraries_of, load_module
from grader.session.start import compute_as_workers


class InProcess:
    """Suites, kits and references of some exercises, imported once."""

    def __init__(self, course: Course, exercises: list[str]) -> None:
        self.course = course
        self.checks: dict[str, list[Callable[..., None]]] = {}
        self.reference: dict[str, ModuleType] = {}
        self.libraries: dict[str, ModuleType] = {}
        self._caches: dict[str, dict[str, Any]] = {}
        for name in exercises:
            suites = [load_module(p, p.stem) for p in course.suite_paths(name)]
            self.checks[name] = [c for suite in suites for c in checks_of(suite)]
            solution = course.folder("solutions") / f"{name}.py"
            self.reference[name] = load_module(solution, f"reference_{name}")
            self.libraries[name] = libraries_of(course, name)

    def grade(self, folder: Path) -> int:
        """Run every check on the files of ``folder``; how many there were.

        Raises:
            AssertionError: a check failed, so that the figure would be of
                something else.
        """
        count = 0
        for name, checks in self.checks.items():
            module = load_module(folder / f"{name}.py", name)
            for check in checks:
                check(**self._fixtures(name, check, module))
                count += 1
        return count

    def _fixtures(
        self, exercise: str, check: Callable[..., None], module: ModuleType
    ) -> dict[str, Any]:
        seed = case_seed("bench", exercise, check.__name__)
        offers: dict[str, Any] = {
            "student": LocalStudent(module),
            "worker": LocalStudent(self.libraries[exercise], handles=True),
            "case": Case(seed, self._caches.setdefault(check.__name__, {})),
            "reference": self.reference[exercise],
        }
        return {n: offers[n] for n in inspect.signature(check).parameters}


def main(argv: list[str]) -> None:
    """Serve rounds until the input ends."""
    compute_as_workers()  # so that the ratio is that of the boundary alone
    course = load_course(Path(argv[0]))
    floor = InProcess(course, argv[1:])
    solutions = course.folder("solutions")
    for _ in sys.stdin:
        start = time.perf_counter()
        count = floor.grade(solutions)
        print(f"{time.perf_counter() - start} {count}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
