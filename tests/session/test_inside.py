"""Our own files are served in this process as a worker would serve them."""

import random
import sys

import numpy as np
import pytest
import torch

from grader import spread
from grader.results import Outcome
from grader.session.journal import agree, record
from grader.session.naming.namer import load_mistakes, ways
from grader.submission import Source, Submission, as_submission

EACH = 5  # of the mistakes, one in so many: each is graded twice

SET_EVERYTHING = """
import random, sys
import numpy, torch
torch.set_default_dtype(torch.float64)
torch.set_grad_enabled(False)
torch.set_num_threads(2)
torch.manual_seed(3), numpy.random.seed(4), random.seed(5)
sys.argv.append("more")
print("a word")
def masked_softmax(scores, mask, dim=-1):
    return torch.rand(scores.shape)
"""


def state():
    return [
        torch.default_generator.get_state().tolist(),
        random.getstate(),
        str(np.random.get_state()),
        torch.get_default_dtype(),
        torch.is_grad_enabled(),
        torch.get_num_threads(),
        list(sys.argv),
        list(sys.meta_path),
        "masked_softmax" in sys.modules,
    ]


def own(text):
    source = Source(
        "masked_softmax", "masked_softmax.py", text.encode(), "py", text=text
    )
    return Submission(id="own", files={"masked_softmax": source})


def in_session(course, work, *names):
    """What ``work`` gives with a grader of ``names``."""
    return spread.in_session(course, [*names], lambda grader, name: work(grader, name))


@pytest.mark.parametrize("name", ["packed_lstm", "truncated_bptt", "lstm_jacobian"])
def test_a_named_mistake_answers_here_as_in_a_worker(course, name):
    folder = course.folder("mistakes") / name

    def both(grader, name):
        grader.use("inside", {})
        different = []
        for module in sorted(ways(load_mistakes(folder)))[::EACH]:
            submission = as_submission(folder / f"{module}.py", name)
            there = grader.run_exercise(submission, name)
            here = grader.run_exercise(submission, name, inside=True)
            for one, other in zip(there.result.checks, here.result.checks, strict=True):
                answers = [record(g.calls[one.id]) for g in (there, here)]
                if one.outcome is not other.outcome or not agree(*answers):
                    different.append((module, one.id))
        return different

    assert in_session(course, both, name) == [[]]


def test_what_a_file_sets_for_the_whole_process_is_put_back(course):
    def before_and_after(grader, name):
        grader.run_exercise(own(SET_EVERYTHING), name, inside=True)  # torch warms up
        before = state()
        graded = grader.run_exercise(own(SET_EVERYTHING), name, inside=True)
        return before, state(), {c.outcome for c in graded.result.checks}

    ((before, after, outcomes),) = in_session(
        course, before_and_after, "masked_softmax"
    )
    assert after == before
    assert Outcome.FAILED in outcomes


@pytest.mark.parametrize("line", ["while True: pass", "import time; time.sleep(1000)"])
def test_file_that_never_answers_is_stopped_and_the_session_goes_on(course, line):
    def tried(grader, name):
        grader.limits.check_cpu_s = 0.1
        text = f"def masked_softmax(scores, mask, dim=-1):\n    {line}\n"
        graded = grader.run_exercise(own(text), name, inside=True, until_failure=True)
        solution = as_submission(grader.references.path(name), name)
        right = grader.run_exercise(solution, name, inside=True)
        return graded.result.checks[-1].outcome, right.result.status

    found = in_session(course, tried, "masked_softmax")
    assert found == [(Outcome.TIMEOUT, "passed")]
