"""A path that the system refuses is the command line's fault: exit 2, a sentence."""

import errno

import pytest

from grader.cli.faults import refused_path
from grader.errors import EnvironmentFault

COMMANDS = [
    "grade hand_in --isolation none --out {}",
    "grade hand_in --isolation none --out={}/below",
    "export csv out --to {}/grades.csv",
    "export json out --to {}/below/grades.json",
    "export junit out --to {}/junit.xml",
    "export gradescope out --to {}/results",
    "feedback folder --out out --to {}/pages",
    "new course {}/mine",
]
# Neither yields to an account that may write anywhere.
PLACES = ["file", "/proc/x"]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("line", COMMANDS)
def test_place_that_cannot_be_written_is_a_usage_error(call, line, place):
    code, said = call(line.format(place))
    assert code == 2, said
    assert said[-1].startswith("grader: error: ")
    assert "fault of the grader" not in said[-1]
    assert place in said[-1]


@pytest.mark.parametrize("line", ["export csv {}", "report {}", "grades --out {}"])
def test_results_folder_that_is_a_file_is_a_usage_error(call, line):
    code, said = call(line.format("file"))  # no gradebook lies below it
    assert (code, "fault of the grader" in said[-1]) == (2, False), said


def test_fault_that_is_not_about_a_given_path_stays_the_graders(call, monkeypatch):
    def broken(*_, **__):
        raise FileNotFoundError(errno.ENOENT, "No such file", "/etc/not/given")

    monkeypatch.setattr("grader.commands.report.run", broken)
    code, said = call("report out")
    assert code == 3
    assert "a fault of the grader itself, FileNotFoundError" in said[-1]


def test_full_disk_is_the_machines_fault():
    full = OSError(errno.ENOSPC, "No space left on device", "out/x")
    assert refused_path(full, ["grade", "--out", "out"]) == ""
    closed = OSError(errno.EACCES, "Permission denied", "out/x")
    wrapped = EnvironmentFault("out/x cannot be written")
    wrapped.__cause__ = closed
    assert "permission denied" in refused_path(wrapped, ["grade", "--out", "out"])
