"""The canary cries when an attack gets through, whatever the worker says."""

from __future__ import annotations

import builtins
import os

import pytest

from grader.errors import EnvironmentFault, IsolationError
from grader.isolation import canary

STOPPED = "stopped: PermissionError"

# What no other attack's source has in it.
OPENINGS = {
    "read a hidden file": "file.read()",
    "write a file": "file.write(",
    "connect to this machine": "s.connect(",
    "fork": "os.fork()",
    "execute a program": "os.execv(",
    "kill the zygote": "os.kill(",
}


def unprotected(source: str) -> str:
    """Run the source right here: no isolation at all."""
    names: dict[str, object] = {}
    exec(source, names)
    return names["attack"]()  # type: ignore[operator]


def stopping_all_but(name: str, reply: str | None = None):
    """A worker that is open to one attack: by its body, or with a given reply."""
    opening = OPENINGS[name]

    def run(source: str) -> str:
        if source == canary.HONEST:
            return unprotected(source)
        if opening not in source:
            return STOPPED
        return unprotected(source) if reply is None else reply

    return run


def test_canary_passes_when_all_attacks_are_stopped():
    seen: list[str] = []

    def run(source: str) -> str:
        seen.append(source)
        return unprotected(source) if source == canary.HONEST else STOPPED

    canary.release(run)
    assert len(seen) == 1 + len(canary.ATTACKS) == 7


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("read a hidden file", "the secret came back"),
        ("write a file", "a file was made"),
        ("connect to this machine", "a connection arrived"),
    ],
)
def test_attack_that_works_is_seen_by_the_trusted_side(name, word):
    with pytest.raises(IsolationError, match=rf"the canary could {name} \({word}\)"):
        canary.release(stopping_all_but(name))


def test_kill_of_the_zygote_is_reported():
    with pytest.raises(IsolationError, match="the canary could kill the zygote"):
        canary.release(stopping_all_but("kill the zygote"))


def test_worker_that_lies_about_a_write_is_found_out():
    def run(source: str) -> str:
        if source == canary.HONEST:
            return unprotected(source)
        if "'w'" in source:
            unprotected(source)
        return STOPPED

    with pytest.raises(IsolationError, match=r"write a file \(a file was made\)"):
        canary.release(run)


@pytest.mark.parametrize("reply", ["escaped: 17", "", "hello", "None"])
def test_any_answer_but_stopped_counts_as_an_escape(reply):
    with pytest.raises(IsolationError, match=r"the canary could fork"):
        canary.release(stopping_all_but("fork", reply))


def test_worker_that_never_starts_is_no_proof():
    with pytest.raises(IsolationError, match="no worker comes up at this level"):
        canary.release(lambda source: "stopped: WorkerCrashedError")


def test_worker_that_raises_is_no_proof():
    def run(source: str) -> str:
        raise RuntimeError("gone")

    with pytest.raises(IsolationError, match=r"gave no answer \(to start\): gone"):
        canary.release(run)


def test_fault_of_the_host_keeps_its_own_name():
    def run(source: str) -> str:
        raise EnvironmentFault("out of memory")

    with pytest.raises(EnvironmentFault, match="out of memory"):
        canary.release(run)


@pytest.mark.parametrize("name", canary.ATTACKS)
def test_every_attack_is_a_module_that_compiles(name):
    with canary._bait() as bait:
        builtins.compile(bait.source(canary.ATTACKS[name]), name, "exec")
        assert os.path.exists(bait.secret)
