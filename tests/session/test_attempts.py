"""A check that the session itself could not carry out is tried once more."""

from types import SimpleNamespace

import pytest

from grader.results import Outcome
from grader.session.attempts import Attempts
from grader.session.checks import Check
from grader.session.workers.faults import StudentError
from grader.submission import as_submission
from grader.wire import Failure

FLAGS = dict.fromkeys(("numeric", "gated", "errors", "fresh"), False)
CHECK = Check(
    "one",
    "add",
    "It adds.",
    public=True,
    points=1,
    hint="",
    cpu_s=None,
    item=None,
    **FLAGS,
)


class FakeRunner:
    """Runs nothing; knows whose calls it would run."""

    def __init__(self, of="hand-in"):
        self.of = of
        self.calls, self.figures, self.asked, self.failure = [], [], None, ""
        self.allowance = SimpleNamespace(hurried=False)

    def begin_check(self, check, *, patient):
        pass

    def end_check(self):
        return 0.0, ""

    def last_inputs(self):
        return []

    def end_worker(self):
        pass


class FakePlugin:
    """Each run ends as the next of ``endings`` says, by whose answers it judges."""

    def __init__(self, endings):
        self.endings = endings
        self.checks = {"add": [CHECK]}
        self.ran = []

    def run(self, check, runner, case, reference):
        self.ran.append(runner.of)
        return self.endings[runner.of].pop(0)


@pytest.fixture
def attempt(tmp_path):
    """Judge one hand-in by a check whose runs end as given."""
    solution = tmp_path / "solution.py"
    solution.write_text("def add(a, b):\n    return a + b\n", encoding="utf-8")
    answer = tmp_path / "add.py"
    answer.write_text("def add(a, b):\n    return b + a\n", encoding="utf-8")
    course = SimpleNamespace(libraries=["torch"], exercises={"add": None})
    references = SimpleNamespace(path=lambda _: solution, module=lambda _: None)

    def judged(*endings, solution=(), again=()):
        plugin = FakePlugin({"hand-in": [*endings], "solution": [*solution]})
        ours = FakeRunner("solution")
        attempts = Attempts(
            course, plugin, references, lambda *_: ours, isolation="none", seed="s"
        )
        handed_in = as_submission(answer, "add")
        found = [attempts.run(CHECK, FakeRunner(), handed_in)]
        if again:
            plugin.endings["hand-in"] += again
            found.append(attempts.run(CHECK, FakeRunner(), handed_in))
        return [r.outcome for r in found], plugin.ran

    return judged


def test_full_memory_of_the_session_costs_nobody_who_passes_when_it_is_free(attempt):
    assert attempt(MemoryError(), None) == ([Outcome.PASSED], ["hand-in"] * 2)


def test_answer_that_fills_the_memory_fails_if_the_solution_does_not(
    attempt,
):
    outcomes, ran = attempt(MemoryError(), MemoryError(), solution=[None])
    assert outcomes == [Outcome.FAILED]
    assert ran == ["hand-in", "hand-in", "solution"]


def test_memory_that_is_short_for_the_solution_too_is_no_fault_of_an_answer(attempt):
    full = [MemoryError(), MemoryError()]
    outcomes, _ = attempt(*full, solution=[MemoryError(), None], again=full)
    # The second time there is room for the solution: what was seen is not kept.
    assert outcomes == [Outcome.GRADER_ERROR, Outcome.FAILED]


def test_memory_error_of_student_code_is_its_own(attempt):
    class Theirs(StudentError, MemoryError):
        pass

    failure = Failure(["MemoryError"], "too much", [])
    outcomes, ran = attempt(Theirs(failure))
    assert (outcomes, ran) == ([Outcome.ERROR], ["hand-in"])
