"""What isolation costs: the jail once for a zygote, the lock-down of each worker."""

from __future__ import annotations

from functools import partial

from grader.bench import figures
from grader.bench.handins import reference_handin
from grader.bench.sessions import session
from grader.course import Course
from grader.isolation.probe import probe
from grader.session.start import plan_for
from grader.session.workers.worker import Worker
from grader.session.workers.zygote import Zygote


def cost(course: Course, exercises: list[str], rounds: int) -> None:
    """Figures of the best level of this host beside those of none."""
    level = probe().level
    figures.heading(f"Isolation, level {level} beside none")
    if level == "none":
        figures.line("this host gives no isolation", "nothing to measure")
        return
    starts = figures.alternate(
        max(3, rounds // 3),
        lambda: _start(course, level),
        lambda: _start(course, "none"),
        first=0,
    )
    with_jail, without = map(figures.median, starts)
    figures.line("zygote, start until warm", figures.in_words(without))
    figures.line("  the jail", figures.in_words(max(0.0, with_jail - without)), "10 ms")
    _workers(course, level, rounds * 10)
    _submission(course, exercises, level, rounds)


def _start(course: Course, level: str) -> None:
    zygote = _zygote(course, level)
    zygote.wait_ready()
    zygote.close()


def _zygote(course: Course, level: str) -> Zygote:
    return Zygote(course.libraries, partial(plan_for, level, course))


def _workers(course: Course, level: str, rounds: int) -> None:
    zygotes = [_zygote(course, kind) for kind in (level, "none")]

    def one(zygote: Zygote) -> None:
        worker = Worker(zygote, seed=1, cpu_s=10, memory_mib=1024)
        worker.wait_ready()
        worker.kill()

    try:
        confined, free = map(
            figures.median,
            figures.alternate(
                rounds, lambda: one(zygotes[0]), lambda: one(zygotes[1]), first=5
            ),
        )
    finally:
        for zygote in zygotes:
            zygote.close()
    figures.line("a worker, from fork to reaped, without", figures.in_words(free))
    figures.line(f"a worker, from fork to reaped, {level}", figures.in_words(confined))
    figures.line("  lock-down", figures.in_words(max(0.0, confined - free)), "1.5 ms")


def _submission(course: Course, exercises: list[str], level: str, rounds: int) -> None:
    submission = reference_handin(course, exercises)
    with session(course, level) as confined, session(course) as free:
        inside, outside = map(
            figures.median,
            figures.alternate(
                rounds,
                lambda: confined.grade(submission, exercises),
                lambda: free.grade(submission, exercises),
                first=2,
            ),
        )
    figures.line("one submission, without", figures.in_words(outside))
    figures.line(f"one submission, {level}", figures.in_words(inside))
    figures.line("ratio", f"{inside / outside:.2f}", "at most 1.25")
