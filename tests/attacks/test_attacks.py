"""Hostile submissions, the whole way that a submission goes.

Each is first seen to work, in a session with the layer or rule taken away that
stops it; then it is sent through a warm session of every host: right verdict,
clear reason, no mark, nothing left, neighbours untouched, within its budget.
The attacks on what is inside a cage are in tests/isolation.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import attack_files
import attack_session
import pytest
from attack_bait import Bait
from attack_files import ATTACKS, Attack
from attack_session import Answer, Driven

from grader.isolation.probe import probe
from grader.results import Outcome

pytestmark = pytest.mark.slow  # hundreds of them, in one process

RIGHT = "def square(x):\n    return x * x\n"
NEIGHBOUR = (Path(__file__).parent / "neighbour.txt").read_text(encoding="utf-8")
STALL_S, QUICK_S, ANSWER_S = 1.0, 5.0, 30.0
SESSION_MIB, GROWTH_MIB, FLOOD = 2048, 150, 1_000_000
BUDGET_S = 1.6 + 0.8  # of the course, and one check that began within it

# name: (options of the program, attacks of every kind or only those that the
# level decides)
ROOT = os.geteuid() == 0
HOSTS = {
    "full": ("--isolation full", True),
    "partial": ("--isolation partial", False),
    "minimal": ("--isolation minimal", False),
    "partial under Docker": ("--isolation partial --without docker", False),
    "minimal under Docker without Landlock": (
        "--isolation minimal --without docker,landlock",
        False,
    ),
    "full for an ordinary user": ("--isolation full --user 1000", False),
    "partial for an ordinary user under Docker": (
        "--isolation partial --user 1000 --without docker",
        False,
    ),
}


def by_level(attack: Attack) -> bool:
    """The level decides what stops it; else it is a rule of the trusted side."""
    return "none" in attack.seen


PAIRS = [
    pytest.param(host, attack, id=f"{host}: {attack}")
    for host, (_, every) in HOSTS.items()
    for attack in ATTACKS
    if every or by_level(attack)
]


@dataclass
class Scene:
    """A warm session, its bait, and what is honest in it."""

    bait: Bait
    driven: Driven
    baseline: dict[tuple[str, ...] | None, Answer] = field(default_factory=dict)

    def start(self, weaken: tuple[str, ...] | None) -> None:
        assert self.driven.ask(RIGHT, weaken=weaken).share == 100
        self.neighbour(weaken)
        self.driven.settle()

    def neighbour(self, weaken: tuple[str, ...] | None) -> Answer:
        """The honest answer to the submission that looks round for traces."""
        if weaken not in self.baseline:
            text = self.bait.fill(NEIGHBOUR)
            self.baseline[weaken] = self.driven.ask(text, weaken=weaken)
        return self.baseline[weaken]

    def close(self) -> None:
        self.driven.close()
        self.bait.close()


@pytest.fixture(scope="module")
def baits() -> Iterator[Path]:
    # Not tmp_path: its parents are closed to other users.
    with tempfile.TemporaryDirectory(prefix="hostile-") as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.fixture(scope="module")
def weak(baits: Path) -> Iterator[Scene]:
    bait = Bait(baits / "weak")
    scene = Scene(bait, Driven("--weak", token=bait.token))
    scene.start(())
    yield scene
    scene.close()


class Hosts:
    """One warm session at a time: that of the host whose attacks are running."""

    def __init__(self, baits: Path) -> None:
        self.baits = baits
        self.name = ""
        self.scene: Scene | None = None

    def at(self, name: str) -> Scene:
        if self.scene is None or self.name != name:
            self.close()
            options = HOSTS[name][0].split()
            bait = Bait(self.baits / re.sub(r"\W+", "-", name))
            self.scene = Scene(bait, Driven(*options, token=bait.token))
            self.name = name
            self.scene.start(None)
        return self.scene

    def close(self) -> None:
        if self.scene is not None:
            self.scene.close()
        self.scene = None


@pytest.fixture(scope="module")
def hosts(baits: Path) -> Iterator[Hosts]:
    found = Hosts(baits)
    yield found
    found.close()


def why_not(host: str) -> str:
    """A reason to skip this host's attacks; "" when it can be had."""
    options = HOSTS[host][0].split()
    if "--user" in options and not ROOT:
        return "only root can become another user"
    if "--without" not in options and options[1] not in probe().ways:
        return f"this host does not give the level {options[1]}"
    return ""


def marks(scene: Scene, attack: Attack, answer: Answer, peak_mib: float) -> set[str]:
    """What the attack left, as the trusted side sees it by itself."""
    seen = {
        "said": scene.bait.token.encode() in answer.line,
        "file": scene.bait.mark.exists(),
        "connection": scene.bait.connected(),
        "process": bool(scene.driven.survivors()),
        "points": answer.share > attack.points,
        "verdict": answer.share != attack.points,
        "lost": answer.lost,
        "stall": answer.wall_s > STALL_S,
        "memory": scene.driven.memory_mib() - peak_mib > GROWTH_MIB,
        "flood": len(answer.line) > FLOOD,
    }
    assert {*seen, "neighbour"} == attack_files.MARKS.keys()
    return {name for name, there in seen.items() if there}


def test_there_are_attacks_of_every_kind():
    kinds = {attack.kind for attack in ATTACKS}
    assert len(ATTACKS) >= 80
    assert kinds == {"read", "forge", "harm", "outlive", "others"}
    assert {a.mark for a in ATTACKS} <= attack_files.MARKS.keys()


@pytest.mark.parametrize("attack", ATTACKS, ids=str)
def test_attack_works_once_what_stops_it_is_taken_away(weak: Scene, attack: Attack):
    driven, text = weak.driven, weak.bait.fill(attack.text)
    neighbour = weak.bait.fill(NEIGHBOUR)
    driven.forget_peak()
    before = driven.memory_mib()
    if "together" in attack.seen:  # in one process, as a careless grader does
        honest = weak.neighbour(("in_process",))
        after = driven.ask(text, neighbour, weaken=attack.seen)
        found = {"neighbour"} if after.timeless != honest.timeless else set()
    else:
        answer = driven.ask(text, weaken=attack.seen)
        found = marks(weak, attack, answer, before)
        if attack.mark == "neighbour":
            after = driven.ask(neighbour, weaken=())
            if after.timeless != weak.neighbour(()).timeless:
                found.add("neighbour")
    attack_session.end(driven.survivors())
    weak.bait.clean()

    assert attack.mark in found


@pytest.mark.parametrize(("host", "attack"), PAIRS)
def test_attack_is_stopped(hosts: Hosts, host: str, attack: Attack):
    if reason := why_not(host):
        pytest.skip(reason)
    strong = hosts.at(host)
    driven, bait = strong.driven, strong.bait
    driven.forget_peak()
    before = driven.memory_mib()
    answer = driven.ask(bait.fill(attack.text))
    # A hang may take as long as its limits let it; the rest must be quick.
    found = marks(strong, attack, answer, before) - {"stall"}
    strays = bait.strays()
    after = driven.ask(bait.fill(NEIGHBOUR))
    bait.clean()

    assert answer.result is not None
    checks = answer.result.exercises["square"].checks
    told = [f"{c.outcome.value}: {c.message} {c.got}" for c in checks]
    assert answer.share == attack.points, told
    assert found == set()
    assert strays == []
    assert after.timeless == strong.neighbour(None).timeless
    failed = [c for c in checks if c.outcome is not Outcome.PASSED]
    assert all(c.message and c.points == 0 for c in failed)
    assert any(re.search(attack.reason, f"{c.message} {c.got}") for c in failed) or (
        not attack.reason
    ), told
    assert answer.result.cpu_s <= BUDGET_S
    assert answer.wall_s <= (QUICK_S if attack.mark == "stall" else ANSWER_S)
    assert driven.memory_mib() < SESSION_MIB
