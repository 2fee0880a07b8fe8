"""Nothing outlives its parent, and no step that fails is passed over."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import cage
import pytest

from grader.isolation import ladder
from grader.worker import lockdown
from grader.worker.lockdown import LockdownError, jail, seccomp, syscalls

WAIT_S = 20.0
linux_only = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="the lock-down exists on Linux alone"
)
pytestmark = linux_only


def descendants(pid: int) -> set[int]:
    """All living processes below ``pid``."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if fields[0] != "Z":
                parents[int(entry.name)] = int(fields[1])
    found, queue = set(), [pid]
    while queue:
        top = queue.pop()
        below = {child for child, parent in parents.items() if parent == top}
        found |= below
        queue += below
    return found


def lives(pid: int) -> bool:
    """Not ended: one that ended may wait for whoever adopted it."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


def until(condition) -> bool:
    """Poll ``condition`` until it holds or the time is over."""
    end = time.monotonic() + WAIT_S
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


@pytest.mark.parametrize("who", ["root", "user"])
@pytest.mark.parametrize(("level", "processes"), [("full", 3), ("partial", 2)])
def test_everything_dies_with_the_outermost_process(who, level, processes, built):
    """Full: the jail's pid 1, a victim, a worker. Partial: victim and worker."""
    if reason := cage.why_not(who):
        pytest.skip(reason)
    with built.start(who, level, ("sleep_long",)) as driver:
        deep = until(lambda: len(descendants(driver.pid)) >= processes)
        below = descendants(driver.pid)
        driver.kill()
        driver.wait()

        assert deep, f"only {len(below)} processes came up"
        assert until(lambda: not any(map(lives, below)))


def plan(level: str, **changes: object) -> dict:
    return ladder.base_plan(ladder.read_allow_list()) | {"level": level} | changes


def test_unknown_level_is_refused():
    with pytest.raises(LockdownError, match="unknown isolation level 'fulll'"):
        lockdown.prepare(plan("fulll"))


def test_partial_without_landlock_is_refused():
    with pytest.raises(LockdownError, match="the level partial needs Landlock"):
        lockdown.prepare(plan("partial", landlock=False))


def test_missing_libseccomp_is_said_with_its_remedy(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyseccomp", None)
    with pytest.raises(LockdownError, match=r"libseccomp is missing .* \(apt\)"):
        lockdown.prepare(plan("minimal"))


def test_unknown_filter_is_refused():
    with pytest.raises(LockdownError, match="unknown filter 'rx'"):
        seccomp.compile_filter("rx")


def in_child(code: str) -> str:
    """Run ``code`` in a Python of its own; its last line of output."""
    done = subprocess.run(
        [sys.executable, "-B", "-s", "-P", "-c", code],
        env={"PYTHONPATH": str(cage.ROOT)},
        capture_output=True,
        text=True,
        timeout=WAIT_S,
        check=False,
    )
    return done.stdout.strip() or done.stderr.strip()


CONFINE = """
import json, os
from grader.worker import lockdown
plan = json.loads({plan!r})
prepared = lockdown.prepare(plan)
if os.fork():
    os.wait()
else:
    try:
        lockdown.confine(prepared, keep_fds={{0, 1, 2}}, cpu_s=5, memory_mib=512)
        print("confined")
    except lockdown.LockdownError as e:
        print("refused:", e)
"""


def test_confine_raises_when_an_allowed_path_is_not_there():
    broken = plan("partial", landlock=True, read_paths=["/no/such/path"])
    said = in_child(CONFINE.format(plan=json.dumps(broken)))
    assert said == "refused: Landlock: open /no/such/path: No such file or directory"


def test_confine_raises_when_the_scratch_cannot_be_mounted():
    # The level full, but nobody entered the jail: there is no scratch.
    broken = plan("full", landlock=False, scratch="/no/such/scratch")
    said = in_child(CONFINE.format(plan=json.dumps(broken)))
    assert said.startswith("refused: ")


def test_jail_is_not_entered_with_a_second_thread():
    code = """
import json, threading, time
from grader.worker import lockdown
threading.Thread(target=time.sleep, args=(5,), daemon=True).start()
try:
    lockdown.enter_jail(json.loads({plan!r}))
except lockdown.LockdownError as e:
    print(e)
"""
    said = in_child(code.format(plan=json.dumps(plan("full"))))
    assert said == "the zygote has 2 threads; it must have 1"


@pytest.mark.parametrize("variant", seccomp.VARIANTS)
def test_filter_has_one_place_for_the_pid(variant):
    compiled = seccomp.compile_filter(variant)
    assert len(compiled._code) > 100 * 8


def test_filter_without_a_place_for_the_pid_is_refused():
    with pytest.raises(LockdownError, match="no single place for the pid"):
        seccomp.Filter(bytes(16))


# Younger than the libseccomp that some hosts have.
YOUNG = {"fchmodat2", "riscv_hwprobe", "futex_waitv", "memfd_secret", "epoll_pwait2"}


def test_every_name_in_the_lists_is_a_system_call_somewhere():
    """A misspelt name would be left out silently: refused, or not explained."""
    lib = seccomp.library()
    arches = [
        getattr(lib.Arch, n) for n in ("X86_64", "X86", "AARCH64", "ARM", "RISCV64")
    ]
    groups = ("ALWAYS", "OPENING", "READING", "WRITING", "REFUSED", "UNSUPPORTED")
    names = [name for group in groups for name in getattr(syscalls, group)]

    unknown = {
        name
        for name in names
        if not any(lib.resolve_syscall(arch, name) >= 0 for arch in arches)
    }
    assert unknown <= YOUNG
    assert len(names) == len(set(names))


def test_paths_below_others_are_mounted_once():
    assert jail._outermost(["/usr/lib", "/usr/lib/x", "/usr/libx", "/a"]) == [
        "/a",
        "/usr/lib",
        "/usr/libx",
    ]


def test_signal_numbers_that_stay_ignored_turn_into_errors():
    """SIGPIPE and SIGXFSZ are ignored, so that Python raises OSError instead."""
    said = in_child(
        CONFINE.format(plan=json.dumps(plan("none"))).replace(
            'print("confined")',
            "import signal; print([signal.getsignal(s).name "
            "for s in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT)])",
        )
    )
    assert said == "['SIG_IGN', 'SIG_IGN', 'SIG_DFL']"
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
