"""Workers started anew: the same verdicts where no warm process can be forked."""

import re
import signal
import subprocess
import sys

import pytest

from grader.results import Outcome
from grader.session.workers.fresh import how_it_ended

ODD = """
import torch
torch.set_default_dtype(torch.float64)
torch.use_deterministic_algorithms(True)
torch.autograd.set_detect_anomaly(True)
import io, sys, warnings
import numpy
numpy.seterr(all="raise")
warnings.simplefilter("error")
print("importing")
sys.stdout = io.StringIO()
"""
ENDS = """
import os
def double(x):
    if x == 2:
        print("last words")
        os._exit(7)
    return 2 * x
"""
LOOPS = """
def double(x):
    print("once more")
    while x == 2:
        pass
    return 2 * x
"""
CONSOLES = (
    "sys.stdout = io.TextIOWrapper(sys.stdout.buffer, encoding='utf-8')",
    "sys.stdout = io.TextIOWrapper(sys.stdout.detach(), encoding='utf-8')",
    "sys.stdout.reconfigure(encoding='utf-8')",
)
EXPECTS_FLOAT32 = """
import torch
assert torch.get_default_dtype() == torch.float32
assert not torch.are_deterministic_algorithms_enabled()
assert not torch.is_anomaly_enabled()
import io, sys, warnings
import numpy
assert numpy.geterr()["under"] == "ignore"
assert not isinstance(sys.stdout, io.StringIO)
warnings.warn("no error")
def double(x):
    return 2 * x
"""


def outcomes(result, name):
    return [c.outcome for c in result.exercises[name].checks]


def test_every_value_crosses_the_pipes_as_it_crosses_the_socket(elsewhere, solution):
    """Tensors, gradients, modules, libraries, inputs read back from our memory."""
    result = elsewhere.grade(solution)
    assert {e.status for e in result.exercises.values()} == {"passed"}
    assert result.isolation == "none"


def test_settings_of_one_exercise_do_not_reach_the_next(elsewhere, solution):
    """One process serves both: it gives back what the first had changed."""
    result = elsewhere.grade(
        {"boundary": ODD + solution["boundary"], "plain": EXPECTS_FLOAT32}
    )
    assert outcomes(result, "plain") == [Outcome.PASSED] * 4
    assert result.exercises["boundary"].checks[0].output == "importing\n"


@pytest.mark.parametrize("line", CONSOLES)
def test_each_file_may_set_up_its_console_in_its_own_way(elsewhere, solution, line):
    """One process serves both: what the first made of its streams is gone by then."""
    head = f"import io, sys, warnings\n{line}\nprint('begun')\nwarnings.warn('!')\n"
    result = elsewhere.grade({n: head + solution[n] for n in ("boundary", "plain")})
    assert {e.status for e in result.exercises.values()} == {"passed"}
    for exercise in result.exercises.values():
        assert "begun" in exercise.checks[0].output


def test_changed_inputs_are_seen_in_our_own_memory(elsewhere, solution):
    text = solution["boundary"].replace(
        "return x * factor", "out = x * factor\n    x.data.add_(1)\n    return out"
    )
    last = elsewhere.grade({"boundary": text}).exercises["boundary"].checks[-1]
    assert last.outcome is Outcome.FAILED
    assert "input" in last.message + last.expected


def test_worker_that_ends_itself_is_replaced_for_the_next_check(elsewhere):
    result = elsewhere.grade({"plain": ENDS})
    first = result.exercises["plain"].checks[0]
    assert first.outcome is Outcome.CRASHED
    assert "exit code 7" in first.message
    assert "last words" in first.output
    assert outcomes(result, "plain")[1:] == [Outcome.PASSED] * 3


def test_endless_loop_ends_at_the_deadline_of_its_call_at_the_first_try(elsewhere):
    result = elsewhere.grade({"plain": LOOPS})
    first = result.exercises["plain"].checks[0]
    assert first.outcome is Outcome.TIMEOUT
    assert "Stopped after 1.2 s of waiting." in first.message
    assert first.output.count("once more") == 1  # not confirmed by a second try
    assert outcomes(result, "plain")[1:] == [Outcome.PASSED] * 3


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (None, "hung up"),
        (-signal.SIGSEGV, "segmentation fault"),
        (0xC0000005, "segmentation fault"),
        (-9, r"a signal \(9\)"),
        (70, "exit code 70"),
    ],
)
def test_exit_codes_of_any_system_have_words(code, words):
    assert re.search(words, how_it_ended(code))


@pytest.mark.parametrize("module", ["grader.cli", "grader.worker.fresh"])
def test_what_a_student_runs_imports_without_what_only_linux_has(root, module):
    script = root / "tests" / "support" / "other_system.py"
    done = subprocess.run(
        [sys.executable, script, module],
        cwd=root,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
