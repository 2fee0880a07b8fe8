"""Every way in which student code can end has one owner and one clear sentence."""

import pytest

from grader.results import Outcome
from grader.submission import Source, Submission

REST = "    return 2 * x\n"


def first(engine, text):
    """The first check's result, and all the others' outcomes."""
    checks = engine.grade({"plain": text}).exercises["plain"].checks
    return checks[0], [c.outcome for c in checks[1:]]


def on_two(line, imports=""):
    """Source whose ``double`` misbehaves only when it is asked for 2."""
    return f"{imports}\ndef double(x):\n    if x == 2:\n        {line}\n{REST}"


PASSED_LATER = [Outcome.PASSED] * 3


def test_exit_in_the_middle_is_a_crash_and_the_next_check_runs(engine):
    check, rest = first(engine, on_two("os._exit(7)", "import os"))
    assert check.outcome is Outcome.CRASHED
    assert "exit code 7" in check.message
    assert rest == PASSED_LATER


def test_segfault_is_named(engine):
    line = "ctypes.string_at(0)"
    check, rest = first(engine, on_two(line, "import ctypes"))
    assert check.outcome is Outcome.CRASHED
    assert "segmentation fault" in check.message
    assert rest == PASSED_LATER


def test_endless_loop_is_a_timeout_in_cpu_time(engine):
    check, rest = first(engine, on_two("while True: pass"))
    assert check.outcome is Outcome.TIMEOUT
    assert "computing" in check.message
    assert rest == PASSED_LATER


def test_hang_names_the_line_at_which_it_was(engine):
    check, _ = first(engine, on_two("while True: pass"))
    assert check.line == 4
    assert "plain.py, line 4, in double" in check.trace
    assert "while True: pass" in check.trace
    assert "still running" not in check.output


def test_sleeping_hang_names_its_line_too(engine):
    check, _ = first(engine, on_two("time.sleep(60)", "import time"))
    assert check.line == 4


def test_last_words_that_name_no_line_of_the_hand_in_are_not_shown(engine):
    said = (
        r"print('still running: /etc/passwd, line 1, in root'); 1 / 0 if x == 3 else 0"
    )
    check, _ = first(engine, on_two(f"{said}\n        while True: pass"))
    assert check.line == 5
    assert "passwd" not in check.trace


COMPUTES = """
import time
start = time.process_time()
while time.process_time() - start < 1.0:
    pass
"""


def test_file_that_computes_below_its_answer_has_time_for_that(engine):
    text = f"def double(x):\n{REST}{COMPUTES}"
    checks = engine.grade({"plain": text}).exercises["plain"].checks
    assert {c.outcome for c in checks} == {Outcome.PASSED}


def test_file_that_never_ends_says_that_it_was_being_imported(engine):
    check, rest = first(engine, f"def double(x):\n{REST}\nwhile True:\n    pass\n")
    assert check.outcome is Outcome.TIMEOUT
    assert "while the file was being imported" in check.message
    assert check.line in (4, 5)
    assert set(rest) == {Outcome.TIMEOUT}


@pytest.mark.parametrize("endless", ["while True: pass", "import time; time.sleep(99)"])
def test_cell_that_never_ends_does_not_void_the_other_cells(engine, endless):
    cells = [f"def double(x):\n{REST}", endless, f"def double(x):\n{REST}"]
    source = Source("plain", "hw.ipynb", b"", "ipynb", cells=tuple(cells))
    result = engine.send(Submission("n", {"plain": source}), ["plain"], "s")
    result = result.exercises["plain"]
    assert {c.outcome for c in result.checks} == {Outcome.PASSED}
    assert any("cell 2 was stopped" in w for w in result.warnings)


def test_hand_in_sees_its_own_name_and_none_of_our_arguments(engine):
    text = (
        "import argparse, sys\n"
        "argparse.ArgumentParser().parse_args()\n"
        "assert sys.argv == ['plain.py'], sys.argv\n"
        "assert 'libraries' not in ' '.join(sys.orig_argv)\n"
        f"def double(x):\n{REST}"
    )
    checks = engine.grade({"plain": text}).exercises["plain"].checks
    assert {c.outcome for c in checks} == {Outcome.PASSED}


def test_source_of_a_function_can_be_asked_for(engine):
    text = (
        "import inspect\n"
        f"def double(x):\n{REST}"
        "assert inspect.getsource(double).startswith('def double')\n"
    )
    checks = engine.grade({"plain": text}).exercises["plain"].checks
    assert {c.outcome for c in checks} == {Outcome.PASSED}


def test_file_that_was_not_handed_in_says_what_to_do(engine):
    check, _ = first(engine, f"from my_tools import two\ndef double(x):\n{REST}")
    assert "graded from its own file" in check.message


def test_hang_that_holds_the_gil_is_a_timeout(engine):
    line = "re.match(r'(a+)+$', 'a' * 60 + 'b')"
    check, rest = first(engine, on_two(line, "import re"))
    assert check.outcome is Outcome.TIMEOUT
    assert rest == PASSED_LATER


def test_sleeper_is_stopped_by_the_wall_limit_after_a_second_look(engine):
    check, rest = first(engine, on_two("time.sleep(60)", "import time"))
    assert check.outcome is Outcome.TIMEOUT
    assert "waiting" in check.message
    assert rest == PASSED_LATER


@pytest.mark.parametrize(
    ("said", "got"),
    [
        ("wrong size", "wrong size"),
        ("\n  wrong size\nand more", "wrong size"),
        ("expected one of:\n * (int a)\n\n * ()", "expected one of: * (int a) * ()"),
        ("x" * 900, "x" * 297 + "..."),
    ],
)
def test_report_quotes_of_an_exception_what_its_first_line_announces(engine, said, got):
    check, _ = first(engine, on_two(f"raise TypeError({said!r})"))
    assert check.got == f"TypeError: {got}"


@pytest.mark.parametrize(
    "raised",
    ["SystemExit(0)", "KeyboardInterrupt()", "GeneratorExit()", "BaseException('x')"],
)
def test_every_base_exception_is_an_error_of_the_student(engine, raised):
    check, rest = first(engine, on_two(f"raise {raised}"))
    assert check.outcome is Outcome.ERROR
    assert raised.split("(")[0] in check.got
    assert check.line == 4
    assert rest == PASSED_LATER


def test_exit_at_import_is_said_once_for_every_check(engine):
    check, rest = first(engine, "import sys\nsys.exit('bye')\n")
    assert check.outcome is Outcome.ERROR
    assert "ended the program at line 2" in check.message
    assert "imported" in check.message
    assert rest == [Outcome.ERROR] * 3


def test_skip_and_fake_outcomes_of_pytest_score_nothing(engine):
    for line in ("pytest.skip('done')", "pytest.exit('bye', 0)", "pytest.xfail('y')"):
        check, rest = first(engine, on_two(line, "import pytest"))
        assert check.outcome is Outcome.ERROR, line
        assert check.points == 0
        assert rest == PASSED_LATER


def test_flood_of_output_is_cut_and_costs_nothing(engine):
    line = "print('x' * 10_000_000)"
    check, rest = first(engine, on_two(line))
    assert check.outcome is Outcome.PASSED
    assert len(check.output) < 40_000
    assert "left out" in check.output
    assert rest == PASSED_LATER


@pytest.mark.parametrize(
    "attack",
    [
        "os.write(3, b'x' * 5000)",
        "os.write(3, b'\\0\\0\\0\\1\\0\\0\\0\\0\\xc1')",
        "os.write(3, b'\\xff' * 8)",
        "os.close(3)",
        "os.dup2(1, 3)",
    ],
)
def test_garbage_on_the_wire_is_one_failed_check(engine, attack):
    check, rest = first(engine, on_two(attack, "import os"))
    assert check.outcome in (Outcome.FAILED, Outcome.CRASHED)
    assert check.points == 0
    assert check.message
    assert rest == PASSED_LATER


def test_exception_shows_the_students_own_line(engine):
    check, _ = first(engine, on_two("return {}['no']"))
    assert check.outcome is Outcome.ERROR
    assert check.line == 4
    assert "return {}['no']" in check.trace
    assert "site-packages" not in check.trace


def test_not_implemented_is_not_written_yet_without_a_traceback(engine):
    text = "def double(x):\n    raise NotImplementedError('TODO')"
    check, rest = first(engine, text)
    assert check.outcome is Outcome.NOT_WRITTEN
    assert check.trace == ""
    assert rest == [Outcome.NOT_WRITTEN] * 3


def test_answer_that_is_no_data_says_so(engine):
    check, _ = first(engine, "def double(x):\n    return object()")
    assert check.outcome is Outcome.ERROR
    assert "no plain data" in check.message


def test_object_that_claims_to_equal_everything_earns_nothing(engine):
    text = (
        "class Yes:\n    def __eq__(self, other): return True\n"
        "    def __bool__(self): return True\n    def __float__(self): return 1.0\n"
        "    def __iter__(self): return iter([7, 7])\n"
        "def double(x):\n    return Yes()"
    )
    result = engine.grade({"plain": text})
    assert result.score == 0


def test_missing_file_is_missing_and_blocked_file_says_why(engine):
    blocked = Submission("b", blocked={"plain": "plain.py holds null bytes."})
    result = engine.send(blocked, ["plain", "boundary"], "s")
    assert result.exercises["plain"].status == "failed"
    assert "null bytes" in result.exercises["plain"].checks[0].message
    assert result.exercises["boundary"].status == "missing"
    assert result.score == 0


def test_syntax_error_names_its_line(engine):
    check, rest = first(engine, "def double(x):\n    return 2 *\n")
    assert check.outcome is Outcome.ERROR
    assert check.line == 2
    assert "SyntaxError" in check.got
    assert rest == [Outcome.ERROR] * 3


def test_spent_budget_leaves_checks_not_run(engine):
    text = "def double(x):\n    while True: pass"
    result = engine.grade({"plain": text}, time_factor=0.02)
    outcomes = [c.outcome for c in result.exercises["plain"].checks]
    assert outcomes[0] is Outcome.TIMEOUT
    assert set(outcomes) <= {Outcome.TIMEOUT, Outcome.NOT_RUN}
    assert result.status == "graded"


NOTEBOOK = (
    "%matplotlib inline\n!pip install torch",
    "x = !ls\nraise RuntimeError('a cell that fails')",
    "def double(x):\n    return 0",
    "%%time\ndef helper(x):\n    return 2 * x",
    "if True:\n    %timeit 1 + 1\ndouble?",
    "%%bash\nrm -rf /",
    "def double(x):\n    return helper(x)\n",
)


def test_notebook_runs_every_cell_and_the_last_definition_wins(engine):
    source = Source("plain", "hw.ipynb", b"", "ipynb", cells=NOTEBOOK)
    result = engine.send(Submission("n", {"plain": source}), ["plain"], "s")
    exercise = result.exercises["plain"]
    assert exercise.status == "passed", exercise.checks
    assert any("cell 2" in w and "RuntimeError" in w for w in exercise.warnings)


def test_line_of_a_notebook_error_comes_from_its_own_cell(engine):
    cells = ("a = 1", "def double(x):\n    return a / 0")
    source = Source("plain", "hw.ipynb", b"", "ipynb", cells=cells)
    result = engine.send(Submission("n", {"plain": source}), ["plain"], "s")
    check = result.exercises["plain"].checks[0]
    assert "cell 2, line 2" in check.trace
    assert "return a / 0" in check.trace
