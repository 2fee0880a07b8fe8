"""The levels, the plans, and what a worker may read."""

from __future__ import annotations

import json
import os
import sys

import pytest

from grader.errors import IsolationError
from grader.isolation import ladder
from grader.isolation.facts import Missing, Probe

WAY = {"uid": 64002, "gid": 64002, "userns": False, "landlock": True, "nproc": True}
NO_JAIL = Missing("full", "unshare: Operation not permitted", "run as root")
PARTIAL = Probe("partial", {"partial": WAY, "minimal": WAY}, [], [NO_JAIL], [])
NOTHING = Probe("none", {}, [], [NO_JAIL], [])


def test_plan_is_plain_json_and_holds_the_facts_of_the_host():
    plan = ladder.plan_for("partial", PARTIAL)

    assert json.loads(json.dumps(plan)) == plan
    assert plan["level"] == "partial"
    assert {key: plan[key] for key in WAY} == WAY
    assert "leave_out" not in plan


def test_plan_of_none_needs_no_probe():
    assert ladder.plan_for("none", NOTHING)["uid"] is None


def test_plan_of_a_level_that_is_not_to_be_had_says_why():
    wanted = r"does not give the level full: full: unshare: .* \(run as root\)"
    with pytest.raises(IsolationError, match=wanted):
        ladder.plan_for("full", PARTIAL)


def test_plan_of_an_unknown_level_is_refused():
    with pytest.raises(IsolationError, match="no isolation level 'best'"):
        ladder.plan_for("best", PARTIAL)


@pytest.mark.parametrize("wanted", [None, "auto"])
def test_best_level_is_chosen_when_nobody_asks(wanted):
    assert ladder.choose(wanted, PARTIAL) == "partial"


def test_lower_level_than_the_best_may_be_asked_for():
    assert ladder.choose("minimal", PARTIAL) == "minimal"


def test_higher_level_than_the_best_is_refused_with_the_remedy():
    wanted = r"full is not to be had here, partial is: .* \(run as root\)"
    with pytest.raises(IsolationError, match=wanted):
        ladder.choose("full", PARTIAL)


def test_unknown_level_is_refused():
    with pytest.raises(IsolationError, match="no isolation level 'most'"):
        ladder.choose("most", PARTIAL)


def test_host_without_isolation_is_refused_unless_none_is_asked_for():
    with pytest.raises(IsolationError, match="say --isolation none"):
        ladder.choose(None, NOTHING)
    assert ladder.choose("none", NOTHING) == "none"


def test_worker_reads_the_interpreter_and_three_places_of_ours():
    allowed = ladder.read_allow_list()

    ours = {path for path in allowed if path.startswith(f"{ladder.PACKAGE}/")}
    assert ours == {str(path) for path in ladder.worker_code() if path.exists()}
    assert os.path.realpath(f"{sys.base_prefix}/lib") in allowed
    assert not {"/", "/usr", "/etc", "/home", "/root", "/tmp"} & set(allowed)


def test_no_allowed_path_holds_a_suite_a_solution_or_a_mistake(root):
    secrets = [root / name for name in ("solutions", "exercises", "variants", "tests")]
    secrets += [root / "grader" / name for name in ("suites", "mistakes", "session")]
    secrets += [root / "course.toml", root / ".git"]

    ladder.read_allow_list(hidden=secrets)  # raises when one is readable


def test_hidden_path_inside_the_interpreter_is_refused():
    hidden = os.path.dirname(os.__file__) + "/json"
    with pytest.raises(IsolationError, match=r"could read .*json: it lies in"):
        ladder.read_allow_list(hidden=[hidden])


def test_linked_code_is_allowed_under_both_of_its_names(tmp_path):
    real, link = tmp_path / "real", tmp_path / "link"
    real.mkdir()
    link.symlink_to(real)

    allowed = ladder.read_allow_list([link], hidden=[])
    assert {str(real), str(link)} <= set(allowed)


def test_paths_that_do_not_exist_are_left_out(tmp_path):
    assert str(tmp_path / "no") not in ladder.read_allow_list([tmp_path / "no"])
