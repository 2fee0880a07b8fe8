"""A locked-down worker: what it is, what it can do, what it leaves."""

from __future__ import annotations

import errno
import json
import os
import signal
import stat
import statistics

import deeds
import pytest
from cage import UID_OF_WORKERS, USER

from grader.isolation import ladder
from grader.worker.lockdown import jail

DEVICES = [f"/dev/{name}" for name in jail.DEVICES]
WHO = ("root", "user")
LEVELS = ("full", "partial", "minimal")
HONEST = (
    "identity",
    "threads",
    "late_imports",
    "scratch_files",
    "own_limits",
    "print_a_traceback",
    "signal_to_itself",
    "memory_over_the_channel",
    "open_descriptors",
    "own_environment",
)


def said(run_in, who, level, name, names=HONEST, **options):
    return json.loads(run_in(who, level, names=names, **options).outcomes[name].reply)


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("level", LEVELS)
class TestEveryLevel:
    def test_worker_has_no_capability_and_no_group(self, who, level, run_in):
        found = said(run_in, who, level, "identity")

        assert found["capabilities"] == [0] * 6
        assert found["groups"] == []
        assert found["session"] is True

    def test_worker_is_somebody_else_where_the_host_allows(self, who, level, run_in):
        run = run_in(who, level, names=HONEST)
        found = said(run_in, who, level, "identity")

        wanted = run.plan["uid"]
        assert wanted in (None, UID_OF_WORKERS)
        own = 0 if who == "root" else (USER if os.geteuid() == 0 else os.geteuid())
        assert set(found["uid"]) == {own if wanted is None else wanted}

    def test_worker_starts_threads(self, who, level, run_in):
        assert said(run_in, who, level, "threads") == list(range(8))

    def test_worker_formats_a_traceback(self, who, level, run_in):
        assert said(run_in, who, level, "print_a_traceback") is True

    def test_worker_may_signal_itself(self, who, level, run_in):
        assert said(run_in, who, level, "signal_to_itself") == ["usr1", "alarm"]

    def test_worker_maps_memory_that_comes_over_its_channel(self, who, level, run_in):
        found = said(run_in, who, level, "memory_over_the_channel")
        # What came with the memory; and no handle of the process that sent it.
        assert found == ["here", None]

    def test_worker_is_limited(self, who, level, run_in):
        found = said(run_in, who, level, "own_limits")

        mib = 1 << 20
        assert found == {
            "CPU": [1, 2],
            "FSIZE": [32 * mib, 32 * mib],
            "NOFILE": [128, 128],
            "CORE": [0, 0],
            "MEMLOCK": [0, 0],
            "MSGQUEUE": [0, 0],
            "SIGPENDING": [64, 64],
            "AS is set": True,
        }

    def test_worker_holds_only_the_descriptors_it_was_given(self, who, level, run_in):
        found = said(run_in, who, level, "open_descriptors")

        # 0, 1 and 2 (pipes of the test), and the pipe that the reply goes into.
        assert [fd for fd, _ in found][:3] == [0, 1, 2]
        assert [kind for _, kind in found][3:] == [stat.S_IFIFO]

    def test_worker_environment_tells_nothing(self, who, level, run_in):
        found = said(run_in, who, level, "own_environment")

        place = "/scratch" if level == "full" else "/tmp"
        places = ("HOME", "TMPDIR", "MPLCONFIGDIR", "TORCHINDUCTOR_CACHE_DIR")
        assert {found.pop(name) for name in places} == {place}
        assert {found.pop("USER"), found.pop("LOGNAME")} == {"student"}
        assert set(found) <= {"PYTHONPATH", "PYTHONUTF8", "LC_CTYPE"}

    def test_abort_leaves_no_core(self, who, level, run_in):
        outcome = run_in(who, level, names=("abort",)).outcomes["abort"]

        assert outcome.signal == signal.SIGABRT
        assert not os.WCOREDUMP(outcome.status)


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("level", ["full", "partial"])
def test_late_imports_and_time_zones_work(who, level, run_in):
    found = said(run_in, who, level, "late_imports")
    assert found == ["Europe/Berlin", 2, "xml.dom.minidom"]


@pytest.mark.parametrize("who", WHO)
def test_scratch_takes_files_at_full(who, run_in):
    assert said(run_in, who, "full", "scratch_files") == "kept"


@pytest.mark.parametrize("who", WHO)
def test_partial_says_that_files_cannot_be_written(who, run_in):
    found = said(run_in, who, "partial", "scratch_files")
    assert found.startswith(
        "FileNotFoundError: [Errno 2] No usable temporary directory"
    )


@pytest.mark.parametrize("who", WHO)
def test_scratch_is_empty_for_the_next_worker(who, run_in):
    names = ("leave_something", "find_something")
    assert said(run_in, who, "full", "leave_something", names) == ["left"]
    assert said(run_in, who, "full", "find_something", names) == []


@pytest.mark.parametrize("who", WHO)
def test_scratch_is_bounded_in_files_and_bytes(who, run_in):
    found = said(run_in, who, "full", "fill_the_scratch", ("fill_the_scratch",))
    assert found == [os.strerror(errno.ENOSPC)] * 2


@pytest.mark.parametrize("who", WHO)
def test_end_of_the_zygote_is_passed_on_by_the_outer_process(who, run_in):
    assert run_in(who, "full", names=("threads",), end=7).returncode == 7


@pytest.mark.parametrize("who", WHO)
def test_full_tree_holds_the_allow_list_and_little_else(who, run_in):
    run = run_in(who, "full", names=("walk",), cpu_s=10)
    found = set(json.loads(run.outcomes["walk"].reply))

    allowed = run.plan["read_paths"]
    parents = {"/"}
    for path in allowed:
        while path != "/":
            path = os.path.dirname(path)
            parents.add(path)
    files = {path for path in found if " -> " not in path}
    links = found - files
    ours = {"/etc/passwd", "/etc/group", "/etc/nsswitch.conf", "/dev", "/dev/shm"}
    ours |= {"/scratch", "/etc"}
    assert files - parents <= ours | set(DEVICES)
    assert {"/", "/scratch", "/dev/null"} <= files
    # Where the interpreter itself lies below /tmp, that is a folder in the jail too.
    assert "/tmp" in parents or "/tmp -> /scratch" in links
    assert all(link.split(" -> ")[1] in {*allowed, "/scratch"} for link in links)


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize("level", LEVELS)
def test_of_all_paths_of_the_host_only_the_allow_list_opens(who, level, run_in, root):
    paths = host_paths(root)
    run = run_in(who, level, names=("open_all",), cpu_s=10, more={"paths": paths})
    opened = json.loads(run.outcomes["open_all"].reply)

    tops = [] if level == "minimal" else [*run.plan["read_paths"]]
    tops += (
        [] if level == "minimal" else [f"/dev/{n}" for n in ("null", "zero", "full")]
    )
    tops += [] if level == "minimal" else ["/dev/random", "/dev/urandom"]
    if level == "full":  # made for the jail, nothing of the host
        tops += [
            "/etc/passwd",
            "/etc/group",
            "/etc/nsswitch.conf",
            "/dev/shm",
            "/scratch",
        ]
        tree = {os.path.dirname(p) for top in tops for p in _upward(top)} | {"/tmp"}
        opened = [path for path in opened if path not in tree]
    stray = [path for path in opened if not any(_below(path, top) for top in tops)]
    assert stray == []
    assert bool(opened) == (level != "minimal")


def _upward(path):
    while path != "/":
        yield path
        path = os.path.dirname(path)


def _below(path, top):
    real, top = os.path.realpath(path), os.path.realpath(top)
    return real == top or real.startswith(top + "/")


def host_paths(root):
    """Every folder of the host to a depth of four with some files of each, and
    every file of this project outside its environment."""
    found = []
    for folder, folders, files in os.walk("/"):
        if folder.count("/") > 4 or folder.startswith(("/proc/", "/sys/")):
            folders.clear()
        found += [folder, *(os.path.join(folder, name) for name in sorted(files)[:3])]
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if name not in (".venv", ".git")]
        found += [folder, *(os.path.join(folder, name) for name in files)]
    found += ["/proc/self/maps", "/proc/1/environ", "/proc/self/environ"]
    return sorted(set(found))[:60000]


@pytest.mark.parametrize("level", LEVELS)
def test_lock_down_takes_a_few_milliseconds(level, run_in):
    """Measured 1.5 ms on an idle machine; the bound is for busy ones."""
    names = ("cost",)
    costs = [said(run_in, "root", level, "cost", names, end=n) for n in range(3)]
    assert statistics.median(costs) < 0.1


def test_deeds_and_escapes_have_different_names():
    import escapes

    assert not set(deeds.DEEDS) & set(escapes.ATTACKS)


def test_plan_of_a_run_is_that_of_the_ladder(run_in):
    plan = run_in("root", "partial", names=HONEST).plan
    assert set(plan) - {"leave_out"} == set(ladder.base_plan([]))
