"""Judged outside: a worker that answers anything but the hand-in earns nothing.

Its process is replaced below the wire, by a program that forks and locks down
as always and then answers zeros, its inputs, True or ValueError.
"""

import json
import subprocess
from pathlib import Path

import pytest

from grader.course import load_course
from grader.session.start import Session
from grader.session.workers import zygote
from grader.submission import Source, Submission

PROGRAM = str(Path(__file__).parent / "doing_nothing.py")
COURSE = load_course(Path(__file__).parents[2])
MADE = [name for name in COURSE.exercises if COURSE.suite_paths(name)]
WAYS = ("zeros", "inputs", "true", "raises")


def nothing_zygote(way, monkeypatch):
    """From here on sessions start the other program."""
    real = subprocess.Popen

    def popen(command, **options):
        at = command.index("-m")
        nothing = json.dumps({"way": way, "asks": asks})
        ours = {"PYTHONPATH": str(COURSE.root), "NOTHING": nothing}
        options["env"] = options["env"] | ours
        return real([*command[:at], PROGRAM, *command[at + 2 :]], **options)

    monkeypatch.setattr(zygote.subprocess, "Popen", popen)
    asks = sorted({ask for e in COURSE.exercises.values() for ask in e.asks})
    plan = {"level": "none"}
    monkeypatch.setattr("grader.session.start.plan_for", lambda level, course: plan)


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_worker_that_does_nothing_earns_nothing_on_any_exercise(way, monkeypatch):
    nothing_zygote(way, monkeypatch)
    earned: dict[str, object] = {}
    results = []

    def work(grader):
        # What the references take is no question here: the worker has none.
        grader.use("s", limits={})
        monkeypatch.setattr(grader.namer, "name", lambda *_: None)  # nothing to name
        for name in MADE:
            source = Source(name, f"{name}.py", b"", "py", "")
            submission = Submission("nobody", {name: source})
            result = grader.grade(submission, [name])
            results.append(result)
            for check in result.exercises[name].checks:
                if check.points:
                    earned[f"{name}/{check.id}"] = check.points

    with Session(COURSE, MADE, "none") as session:
        session.run(work)

    assert earned == {}
    assert len(results) == len(MADE)
    outcomes = {
        c.outcome.value for r in results for e in r.exercises.values() for c in e.checks
    }
    # Not written: a check of a lab that waits for one that found nothing to call.
    assert outcomes <= {"failed", "error", "grader_error", "timeout", "not_written"}
