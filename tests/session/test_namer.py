"""A mistake is named from behaviour, and only when it is sure."""

from decimal import Decimal
from types import SimpleNamespace

import pytest

from grader.errors import CourseError
from grader.results import CheckResult, ExerciseResult, Outcome
from grader.session.graded import Graded
from grader.session.naming.namer import Namer, load_mistakes

ENTRY = '[squares]\ntitle = "squaring"\nhint = "?"\nfails = ["half"]\n'


def checks_of(engine, text):
    return engine.grade({"plain": text}).exercises["plain"].checks


def names(checks):
    return {c.mistake for c in checks if c.mistake}


def test_same_behaviour_in_other_words_is_named_with_the_mistakes_hint(engine):
    text = "def double(n):\n    if isinstance(n, list):\n        return n + n\n"
    text += "    return pow(n, 2)"
    checks = checks_of(engine, text)
    failed = next(c for c in checks if c.outcome is Outcome.FAILED)
    assert failed.mistake == "squares"
    assert failed.hint == "For which numbers is the square the double?"


def test_mistake_made_in_another_style_has_the_same_name(engine):
    checks = checks_of(engine, "def double(n):\n    return pow(n, 2)")
    assert names(checks) == {"squares"}
    broken = next(c for c in checks if c.outcome is Outcome.ERROR)
    assert broken.mistake == "squares"


def test_another_behaviour_is_not_named(engine):
    checks = checks_of(engine, "def double(x):\n    return 3 * x")
    assert names(checks) == set()
    failed = next(c for c in checks if c.id == "doubles_a_half")
    assert failed.hint == "What is twice a half?"


def test_mistake_in_one_answer_and_another_elsewhere_is_not_named(engine):
    text = "def double(x):\n    return 0 if x == 3 else x * x if x != [7] else [7, 7]"
    assert names(checks_of(engine, text)) == set()


def test_right_answer_names_nothing(engine):
    assert names(checks_of(engine, "def double(x):\n    return x + x")) == set()


def test_mistake_of_what_an_earlier_call_left_behind_is_named(engine):
    """Run alone, a check would see nothing of it."""
    text = "kept = {}\ndef double(x):\n    if type(x) is list:\n        return x + x\n"
    text += "    return kept.setdefault('answer', x + x)"
    assert names(checks_of(engine, text)) == {"first_answer_kept"}


def test_mistakes_that_nothing_asked_tells_apart_are_listed(engine):
    text = (
        "def double(x):\n    if x == 0.5:\n        raise ValueError\n    return x * 2"
    )
    checks = checks_of(engine, text)
    (failed,) = [c for c in checks if c.outcome is not Outcome.PASSED]
    assert failed.one_of == ["refuses_fractions", "refuses_small_numbers"]
    assert failed.mistake is None
    assert failed.hint == "What is twice a half?"


def test_another_exception_at_the_same_place_is_another_behaviour(engine):
    text = "def double(x):\n    if x == 0.5:\n        raise KeyError\n    return x * 2"
    checks = checks_of(engine, text)
    assert names(checks) == set()
    assert not any(c.one_of for c in checks)


def test_mistake_that_does_not_say_what_it_costs_is_refused(tmp_path):
    (tmp_path / "mistakes.toml").write_text(ENTRY)
    with pytest.raises(CourseError, match=r"squares lacks costs_at_most"):
        load_mistakes(tmp_path)


def test_styles_and_their_modules_belong_together(tmp_path):
    (tmp_path / "mistakes.toml").write_text(ENTRY + "costs_at_most = 50\n")
    (tmp_path / "squares.py").write_text("")
    assert load_mistakes(tmp_path)["squares"].costs_at_most == 50
    (tmp_path / "squares__by_hand.py").write_text("")
    with pytest.raises(CourseError, match=r"squares__by_hand.py is listed as no style"):
        load_mistakes(tmp_path)
    (tmp_path / "squares__by_hand.py").unlink()
    style = 'costs_at_most = 50\nstyles.by_hand = ["half"]\n'
    (tmp_path / "mistakes.toml").write_text(ENTRY + style)
    with pytest.raises(CourseError, match=r"has no file squares__by_hand.py"):
        load_mistakes(tmp_path)


class Ran(Exception):
    """A mistake was run."""


def namer_of(folder, costs_at_most):
    """A namer whose one mistake fails the check ``half``, and cannot be run."""
    (folder / "plain").mkdir()
    text = f"{ENTRY}costs_at_most = {costs_at_most}\n"
    (folder / "plain" / "mistakes.toml").write_text(text)
    (folder / "plain" / "squares.py").write_text("")

    def run_exercise(*args, **kwargs):
        raise Ran

    return Namer(
        SimpleNamespace(
            course=SimpleNamespace(folder=lambda name: folder),
            plugin=SimpleNamespace(checks={}),
            shelf=None,
            references=SimpleNamespace(path=lambda name: folder / "none.py"),
            run_exercise=run_exercise,
        )
    )


def failed_half(stage="number", outcome=Outcome.FAILED):
    half = CheckResult(
        id="half",
        title="?",
        public=True,
        points=Decimal(0),
        max_points=Decimal(50),
        outcome=outcome,
        stage=stage,
    )
    return Graded(ExerciseResult("", Decimal(50), Decimal(100), "partial", [half]))


def test_mistake_that_may_cost_as_much_is_run(tmp_path):
    with pytest.raises(Ran):
        namer_of(tmp_path, 50).name("plain", failed_half())


def test_mistake_that_cannot_cost_as_much_is_not_run(tmp_path):
    namer_of(tmp_path, 49).name("plain", failed_half())


@pytest.mark.parametrize(
    ("stage", "outcome"),
    [("import", Outcome.ERROR), ("", Outcome.TIMEOUT), ("", Outcome.PASSED)],
)
def test_no_mistake_is_run_for_what_none_of_them_does(tmp_path, stage, outcome):
    namer_of(tmp_path, 50).name("plain", failed_half(stage, outcome))
