"""The boundary, by a suite that runs through it in a real session."""

import re

import pytest

from grader.results import Outcome


def by_id(result, exercise):
    return {c.id: c for c in result.exercises[exercise].checks}


def test_every_check_about_the_boundary_passes_on_the_solution(engine, solution):
    result = engine.grade(solution)
    checks = [c for e in result.exercises.values() for c in e.checks]
    assert [c for c in checks if c.outcome is not Outcome.PASSED] == []
    assert result.score == result.max_score


def test_wrong_gradient_fails_gradcheck_through_the_boundary(engine, solution):
    wrong = solution["boundary"].replace("return x * factor", "return x * x.detach()")
    checks = by_id(engine.grade({"boundary": wrong}), "boundary")
    assert checks["gradcheck_of_a_function"].outcome is Outcome.FAILED
    assert checks["gradcheck_of_a_module"].outcome is Outcome.PASSED


def test_change_of_an_input_is_seen_in_our_own_memory(engine, solution):
    text = solution["boundary"].replace(
        "return x * factor", "y = x * factor\n    x.detach().add_(1)\n    return y"
    )
    checks = by_id(engine.grade({"boundary": text}), "boundary")
    assert checks["worker_has_libraries"].outcome is Outcome.FAILED
    assert "changed in 2 of 2" in checks["worker_has_libraries"].got


def test_seed_of_a_worker_does_not_tell_which_check_is_asking(engine, solution):
    text = solution["boundary"].replace(
        "return x * factor", "print(f'S{torch.initial_seed()}')\n    return x * factor"
    )
    text += "\nprint(f'S{torch.initial_seed()}')\n"
    found = by_id(engine.grade({"boundary": text}), "boundary")

    output = "".join(check.output for check in found.values())
    seeds = {int(n) for n in re.findall(r"S(\d+)", output)}
    assert len(seeds) > 3
    # Not even by comparing two of them: no more than chance has them in common.
    assert all(a == b or (a ^ b) >> 32 for a in seeds for b in seeds)


TRANSPOSED = "transposed_tensor_arrives_row_after_row"


@pytest.mark.parametrize("session", ["engine", "elsewhere"])
@pytest.mark.parametrize("how", ["reshape", "view"])
def test_answer_may_call_view_or_reshape_whatever_the_suite_transposed(
    request, solution, session, how
):
    asked = request.getfixturevalue(session)
    text = solution["boundary"].replace(
        "return x * factor", f"return (x.{how}(-1) * factor).{how}(x.shape)"
    )
    checks = by_id(asked.grade({"boundary": text}), "boundary")
    assert checks[TRANSPOSED].outcome is Outcome.PASSED
    assert checks["gradcheck_of_a_function"].outcome is Outcome.PASSED


def test_change_of_a_transposed_input_is_seen_where_it_happened(engine, solution):
    text = solution["boundary"].replace(
        "return x * factor",
        "y = x * factor\n    x.detach()[0, 0].logical_not_()\n    return y",
    )
    checks = by_id(engine.grade({"boundary": text}), "boundary")
    assert checks[TRANSPOSED].outcome is Outcome.FAILED
    assert "changed in 3 of 24" in checks[TRANSPOSED].got


def test_answer_that_a_suite_cannot_use_is_the_students(engine):
    text = "def double(x):\n    return 4 if x == 2 else None"
    checks = by_id(engine.grade({"plain": text}), "plain")
    assert checks["unpacks_the_answer"].outcome is Outcome.FAILED
    assert "cannot use an answer of this kind" in checks["unpacks_the_answer"].message
    assert "was a return forgotten" in checks["doubles_a_half"].got


def test_property_scores_only_beside_a_right_number(engine):
    checks = by_id(engine.grade({"plain": "def double(x):\n    return 0"}), "plain")
    assert checks["same_answer_twice"].points == 0
    assert "no number is right yet" in checks["same_answer_twice"].message
    one_right = "def double(x):\n    return 4"
    checks = by_id(engine.grade({"plain": one_right}), "plain")
    assert checks["same_answer_twice"].points == 10


@pytest.mark.parametrize("name", ["Double", "doubel", "dou_ble"])
def test_near_name_is_graded_with_a_warning_and_a_deduction(engine, name):
    result = engine.grade({"plain": f"def {name}(x):\n    return 2 * x"})
    exercise = result.exercises["plain"]
    assert exercise.score == 90
    assert any(f"You wrote {name}" in w and "double" in w for w in exercise.warnings)


def test_far_name_is_an_error_that_says_what_is_missing(engine):
    result = engine.grade({"plain": "def triple_sum(x):\n    return 2 * x"})
    check = result.exercises["plain"].checks[0]
    assert check.outcome is Outcome.ERROR
    assert "does not define" in check.message
    assert "double" in check.message


def test_seed_alone_decides_the_inputs(engine):
    text = "SEEN = []\ndef double(x):\n    print(x)\n    return 2 * x"
    one, two = engine.grade({"plain": text}), engine.grade({"plain": text})
    assert [c.output for c in one.exercises["plain"].checks] == [
        c.output for c in two.exercises["plain"].checks
    ]


@pytest.mark.parametrize(
    "line",
    [
        "from boundary import scale",
        "from exercises.boundary import scale",
        "import exercises.boundary, boundary; assert exercises.boundary is boundary",
        "import exercises.boundary as b; scale = b.scale",
        "from exercises import boundary; scale = boundary.scale",
    ],
)
def test_own_other_file_can_be_imported(engine, solution, line):
    text = f"{line}\ndef double(x):\n    return 2 * x"
    result = engine.grade({"plain": text, "boundary": solution["boundary"]})
    assert result.exercises["plain"].status == "passed"


def test_file_that_is_not_there_is_not_in_the_folder_either(engine):
    text = "import exercises.boundary\ndef double(x):\n    return 2 * x"
    check = engine.grade({"plain": text}).exercises["plain"].checks[0]
    assert "graded from its own file" in check.message


def test_dataclass_with_postponed_annotations_loads(engine):
    text = (
        "from __future__ import annotations\nfrom dataclasses import dataclass\n"
        "@dataclass\nclass A:\n    n: int\ndef double(x):\n    return 2 * x"
    )
    assert engine.grade({"plain": text}).exercises["plain"].status == "passed"


def test_draws_in_the_worker_depend_on_the_seed_and_the_check_alone(engine):
    text = (
        "import random, numpy, torch\n{first}def double(x):\n"
        "    print(random.random(), numpy.random.rand(), torch.rand(1).item())\n"
        "    return 2 * x"
    )
    plain = engine.grade({"plain": text.format(first="")})
    burnt = engine.grade({"plain": text.format(first="torch.rand(5)\n")})
    seen = [[c.output for c in r.exercises["plain"].checks] for r in (plain, burnt)]
    assert seen[0] == seen[1]
    assert len(set(seen[0])) == len(seen[0])
