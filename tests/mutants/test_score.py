"""The mutation score: what counts as killed, reviewed, untried."""

import json
import os
import subprocess
import sys
from decimal import Decimal

import pytest

from grader.errors import SuiteError
from grader.mutants.equivalent import FILE, as_entry
from grader.mutants.make import mutants_of
from grader.mutants.score import score_exercise

ANSWER_S = 240


@pytest.fixture
def review(fake):
    """Put mutants of the solution on the reviewed list, by what they become."""

    def review(*becomes: str) -> None:
        text = fake.references.path("double").read_text(encoding="utf-8")
        known = {m.becomes: m for m in mutants_of("double", text)}
        entries = [as_entry(known[b]).replace('""', '"tried"') for b in becomes]
        path = fake.root / "variants" / "double" / FILE
        path.write_text("\n".join(entries), encoding="utf-8")

    return review


def becomes(score):
    return sorted(m.becomes for m in score.survivors)


def test_checks_that_notice_every_change_score_100(fake):
    score = score_exercise(fake, "double", "s")
    assert (score.mutants, score.killed, score.survivors) == (5, 5, [])
    assert score.percent == 100
    assert score.enough


def test_what_no_check_notices_survives_and_lowers_the_score(fake):
    fake.checks = {"zero": lambda f, s: f(0) == 0}
    score = score_exercise(fake, "double", "s")
    assert becomes(score) == ["return 1 * x", "return 3 * x", "return x"]
    assert score.percent == Decimal(40)
    assert not score.enough


def test_reviewed_mutants_leave_the_count(fake, review):
    fake.checks = {"zero": lambda f, s: f(0) == 0}
    review("return 3 * x", "return x")
    score = score_exercise(fake, "double", "s")
    assert becomes(score) == ["return 1 * x"]
    assert (score.equivalent, score.killed, score.faults) == (2, 2, [])
    assert round(score.percent) == 67


def test_reviewed_mutant_that_a_check_notices_is_a_fault(fake, review):
    review("return 3 * x")
    score = score_exercise(fake, "double", "s")
    [fault] = score.faults
    assert fault.endswith("is noticed by two")
    assert not score.enough


def test_reviewed_mutant_of_another_solution_is_a_fault(fake, review):
    review("return 3 * x")
    path = fake.references.path("double")
    text = path.read_text(encoding="utf-8").replace("2 * x", "x + x")
    path.write_text(text, encoding="utf-8")
    score = score_exercise(fake, "double", "s")
    assert any("is no change of the solution" in f for f in score.faults)


def test_sample_leaves_out_what_is_reviewed(fake, review):
    fake.checks = {"zero": lambda f, s: f(0) == 0}
    review("return 3 * x", "return x")
    score = score_exercise(fake, "double", "s", count=3)
    assert (score.mutants, score.equivalent) == (3, 0)


def test_solution_that_fails_under_these_limits_is_a_fault_of_the_suite(fake):
    fake.checks["five"] = lambda f, s: f(2) == 5
    with pytest.raises(
        SuiteError, match=r"double: five fails the solution within 0\.5"
    ):
        score_exercise(fake, "double", "s")


def test_of_a_lab_only_a_few_that_quick_checks_leave_alive_are_trained(fake):
    fake.kind = "lab"
    fake.checks = {
        "zero": lambda f, s: f(0) == 0,
        "training": lambda f, s: f(2) != 6,
    }
    fake.trained = {"training"}
    score = score_exercise(fake, "double", "s", trained=2)
    assert sum(labs for _, labs in fake.ran) == 2
    assert score.untried == 1
    assert score.killed + len(score.survivors) == 4


def test_program_scores_a_real_suite_in_a_real_session(root):
    engine = str(root / "tests" / "courses" / "engine")
    command = [sys.executable, "-m", "grader.mutants", "plain", "--json"]
    done = subprocess.run(
        [*command, "--course", engine],
        cwd=root,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=ANSWER_S,
    )
    assert done.returncode == 0, done.stderr
    [score] = json.loads(done.stdout)
    assert (score["mutants"], score["killed"], score["survivors"]) == (5, 5, [])
