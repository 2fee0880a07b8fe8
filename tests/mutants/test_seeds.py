"""make seeds: a verdict that depends on the seed is found and counted."""

import pytest

from grader.seeds import LAB_SEEDS, answers_of, further_faults, steadiness
from grader.session import expect

WRONG = "def double(x):\n    return 3 * x\n"


def with_mistake(fake):
    """A mistake that must fail the check ``two``."""
    folder = fake.root / "mistakes" / "double"
    (folder / "three.py").write_text(WRONG)
    (folder / "mistakes.toml").write_text(
        '[three]\ntitle = "three"\nhint = "?"\nfails = ["two"]\ncosts_at_most = 50\n'
    )


def test_answers_are_reference_variants_and_mistakes(root, course):
    found = answers_of(course, "masked_softmax")
    assert next(iter(found)) == "the reference"
    assert found["variant torch_where"].exists()
    assert found["mistake mask_inverted"].exists()


def test_same_verdict_under_every_seed_is_no_fault(fake):
    seen = steadiness(fake, "double", 4)
    assert (seen.answers, seen.seeds, seen.faults) == (1, 4, [])


def test_check_that_passes_by_luck_is_named_with_how_often(fake):
    fake.checks["lucky"] = lambda f, seed: seed != "seeds-2"
    seen = steadiness(fake, "double", 4)
    assert seen.faults == ["double: the reference passes lucky under 3 of 4 seeds"]


def test_right_answer_that_always_fails_is_a_fault_and_a_mistake_is_none(fake):
    (fake.root / "variants" / "double" / "three.py").write_text(WRONG)
    with_mistake(fake)
    seen = steadiness(fake, "double", 2)
    assert seen.answers == 3
    assert seen.faults == [
        "double: variant three passes two under 0 of 2 seeds",
        "double: variant three passes one under 0 of 2 seeds",
    ]


def compared(share):
    """A check that compares: its answer uses so much of a tolerance."""

    def check(double, seed):
        expect.close(share(double, seed) * 1e-9, 0.0)
        return True

    return check


def test_right_answer_that_is_near_to_a_tolerance_by_luck_is_a_fault(fake):
    fake.checks["drawn"] = compared(lambda f, seed: 0.8 if seed == "seeds-3" else 0.02)
    seen = steadiness(fake, "double", 5)
    assert seen.faults == ["double: the reference uses 80% of a tolerance of drawn"]
    assert seen.nearest == pytest.approx(0.8)


def test_numbers_that_are_written_down_may_be_as_near_under_every_seed(fake):
    fake.checks["recorded"] = compared(lambda f, seed: 0.8)
    seen = steadiness(fake, "double", 3)
    assert (seen.faults, seen.nearest) == ([], 0.0)


def test_mistake_may_be_as_near_to_a_tolerance_as_it_is(fake):
    with_mistake(fake)
    fake.checks["drawn"] = compared(
        lambda f, seed: 0.8 if (f(1), seed) == (3, "seeds-1") else 0.02
    )
    assert steadiness(fake, "double", 3).faults == []


def test_of_a_lab_right_answers_alone_are_trained_and_under_few_seeds(fake):
    fake.kind = "lab"
    fake.checks["training"] = lambda f, seed: seed != "seeds-1"
    fake.trained = {"training"}
    seen = steadiness(fake, "double", LAB_SEEDS + 3)
    assert sum(labs for _, labs in fake.ran) == LAB_SEEDS
    assert seen.faults == ["double: the reference passes training under 9 of 10 seeds"]


def test_seeds_after_the_first_are_tried_without_a_worker(fake):
    seen = steadiness(fake, "double", 5)
    assert (seen.faults, len(fake.ran)) == ([], 1)


def test_verdict_that_is_not_the_first_one_is_that_of_a_worker(fake):
    fake.checks["lucky"] = lambda f, seed: seed != "seeds-3"
    steadiness(fake, "double", 5)
    assert len(fake.ran) == 2


def test_answer_that_a_worker_judges_in_another_way_is_always_graded_by_one(fake):
    here = []
    fake.checks["apart"] = lambda f, seed: not fake.inside or here.append(seed)
    seen = steadiness(fake, "double", 4)
    assert (seen.faults, len(fake.ran), here) == ([], 4, ["seeds-0"])


def test_further_seeds_need_no_worker_while_all_is_as_it_must_be(fake):
    with_mistake(fake)
    fake.checks["lucky_for_the_mistake"] = lambda f, seed: seed == "a" or f(2) == 4
    assert further_faults(fake, "double", ["a", "b"]) == []
    assert fake.ran == []


def test_answer_that_is_not_as_it_must_be_under_a_further_seed_is_a_fault(fake):
    with_mistake(fake)
    fake.checks["two"] = lambda f, seed: seed == "b" or f(2) == 4
    fake.checks["one"] = lambda f, seed: seed != "c"
    assert further_faults(fake, "double", ["a", "b", "c"]) == [
        "double: mistake three fails nothing (seed b)",
        "double: the reference fails one (seed c)",
    ]
