"""The probe walks down the ladder as the host gets poorer."""

from __future__ import annotations

import os
import sys

import cage
import pytest

from grader.isolation import doctor, probe
from grader.isolation.facts import Missing, Probe

linux_only = pytest.mark.skipif(bool(cage.why_not("user")), reason="no lock-down here")


@pytest.fixture(scope="session")
def best() -> Probe:
    return probe.probe()


def needs(best: Probe, level: str) -> None:
    if level not in best.ways:
        pytest.skip(f"this host does not give {level}: {best.missing}")


@linux_only
def test_level_found_is_the_highest_that_worked(best):
    assert best.level == next(
        n for n in probe.ladder.LEVELS if n in {*best.ways, "none"}
    )
    assert "seccomp allow-list" in best.rests_on


@linux_only
@pytest.mark.parametrize("lacking", [{"namespaces"}, {"docker"}])
def test_host_without_namespaces_gives_partial(lacking, best):
    needs(best, "partial")
    found = probe.probe(lacking)

    assert found.level == "partial"
    assert [m.level for m in found.missing] == ["full"]
    assert "unshare: Operation not permitted" in found.missing[0].why
    assert "--cap-add SYS_ADMIN" in found.missing[0].remedy


@linux_only
def test_host_without_namespaces_and_landlock_gives_minimal(best):
    needs(best, "minimal")
    found = probe.probe({"namespaces", "landlock"})

    assert found.level == "minimal"
    assert [m.level for m in found.missing] == ["full", "partial"]
    assert "Landlock" in found.missing[1].remedy


@linux_only
def test_full_without_landlock_is_said(best):
    needs(best, "full")
    found = probe.probe({"landlock"})

    assert found.level == "full"
    assert found.ways["full"]["landlock"] is False
    assert any("no Landlock" in warning for warning in found.warnings)


@linux_only
@pytest.mark.parametrize("lacking", ["seccomp", "libseccomp"])
def test_host_without_seccomp_gives_nothing_and_says_how_to_get_it(lacking):
    found = probe.probe({lacking})

    assert found.level == "none"
    assert found.rests_on == []
    words = {"seccomp": "profile", "libseccomp": "apt install libseccomp2"}
    assert words[lacking] in found.missing[-1].remedy


@linux_only
@pytest.mark.skipif(os.geteuid() != 0, reason="only root has another identity to take")
def test_root_that_cannot_change_its_identity_is_warned(best):
    needs(best, "minimal")
    found = probe.probe({"setuid"})

    assert found.ways[found.level]["uid"] is None
    assert any("workers keep uid 0" in warning for warning in found.warnings)


def test_unknown_lack_is_an_error_of_the_trial():
    if cage.why_not("user"):
        pytest.skip("no lock-down here")
    found = probe.probe({"luck"})
    assert found.level == "none"
    assert "cannot do without luck" in found.missing[0].why


@pytest.mark.parametrize("system", ["darwin", "win32"])
def test_other_systems_give_nothing_with_a_clear_word(system, monkeypatch):
    monkeypatch.setattr(sys, "platform", system)
    found = probe.probe()

    assert found.level == "none"
    assert found.missing == [
        Missing(
            "isolation",
            f"{system} has no way to confine a process as we need it",
            "grade on Linux, in a VM or container",
        )
    ]


def test_python_that_does_not_start_gives_nothing():
    if cage.why_not("user"):
        pytest.skip("no lock-down here")
    found = probe.probe(python="/no/such/python")
    assert found.level == "none"
    assert "the trial program failed" in found.missing[0].why


def test_doctor_prints_level_reasons_and_remedies():
    missing = Missing("full", "unshare: Operation not permitted", "run as root")
    found = Probe("partial", {}, ["seccomp allow-list"], [missing], ["mind the gap"])
    printed = "\n".join(doctor.lines(doctor.examine(found)))

    assert "isolation   partial: submissions see no file of yours" in printed
    assert "rests on    seccomp allow-list" in printed
    assert "missing     full: unshare: Operation not permitted" in printed
    assert "to get it: run as root" in printed
    assert "note        mind the gap" in printed
    assert "libraries   grader" in printed


def test_student_block_holds_versions_and_no_path_or_name(tmp_path):
    block = doctor.student_block(tmp_path)

    assert "torch" in block
    assert "python" in block
    assert os.path.expanduser("~") not in block
    assert block.startswith("```")


@pytest.mark.parametrize(
    ("system", "machine", "python", "versions", "words"),
    [
        ("darwin", "x86_64", (3, 12), {"torch": "2.2.2", "numpy": "2.1"}, "numpy<2"),
        ("darwin", "x86_64", (3, 13), {}, "2.2, which needs Python 3.12 or older"),
        ("win32", "AMD64", (3, 12), {"numpy": "2.1"}, "torch is missing"),
    ],
)
def test_doctor_says_what_to_do_where_versions_do_not_fit(
    system, machine, python, versions, words
):
    find = lambda name: versions.get(name, "not installed")  # noqa: E731
    assert words in "\n".join(doctor.advise(system, machine, python, find))


def test_doctor_is_silent_where_versions_fit():
    versions = {"torch": "2.2.2", "numpy": "1.26.4"}
    assert doctor.advise("darwin", "x86_64", (3, 12), versions.__getitem__) == []
    assert (
        doctor.advise(
            "darwin", "arm64", (3, 13), {"torch": "2.9", "numpy": "2.1"}.__getitem__
        )
        == []
    )
