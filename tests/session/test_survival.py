"""One warm session for a thousand submissions, a third of them hostile."""

import json
import os
import random
import re
import signal
from pathlib import Path

import pytest
from asked import Asked

from grader.isolation.probe import probe

COURSE = Path(__file__).parents[1] / "courses" / "survival"
TOTAL, DISTINCT, KILLED_AT = 1000, 60, (250, 700)
GROWTH_MIB, GROWTH_FDS = 80, 3
WARM = 120  # submissions until caches and the allocator are settled
TIMES = re.compile(r'"(wall_s|cpu_s)": ?[0-9.e+-]+')

RIGHT = "def square(x):\n    return x * x\n"
BODIES = [  # honest, right or wrong; {n} makes each of them another
    "x * x", "x ** 2", "x * x + 0 * {n}", "x * {n}", "x + x", "-x * x", "abs(x) * x",
    "x * x * 1.0001", "x**2 + {n}", "x / {n}", "None", "[{n}]", "x[:{n}]",
]  # fmt: skip
HOSTILE = [  # quick ones: the survival of many is the question here
    "os._exit({n})",
    "sys.exit({n})",
    "raise BaseException({n})",
    "raise NotImplementedError",
    "ctypes.string_at({n})",
    "os.write(3, b'x' * {n})",
    "os.write(3, b'\\xff' * 8 * {n})",
    "os.close(3)",
    "os.abort()",
    "print('x' * 100000 * {n})",
    "return object()",
    "return 'x' * (1 << 20) * {n}",
    "return np.zeros(1 << 20) + {n}",
    "kept.append(np.ones(1 << 20)); return kept[0] * {n}",
    "return bytearray(700 << 20)",
    "os.kill(os.getppid(), 9)",
    "os.fork(); return {n}",
    "open('/etc/passwd').read()",
    "return [[[[[{n}]]]]]",
    "signal.raise_signal(signal.SIGKILL)",
]


def sources() -> list[str]:
    honest = [
        f"def square(x):\n    return {BODIES[i % len(BODIES)].format(n=i + 2)}  # {i}\n"
        for i in range(2 * DISTINCT // 3)
    ]
    imports = "import ctypes, os, signal, sys\nimport numpy as np\nkept = []\n"
    hostile = [
        f"{imports}def square(x):\n    {body.format(n=i + 1)}\n"
        for i, body in enumerate(HOSTILE)
    ]
    found = honest + hostile
    assert len(found) == len(set(found)) == DISTINCT == 3 * len(HOSTILE)
    return found


def timeless(result) -> str:
    """Everything of a result but its times."""
    import msgspec

    text = msgspec.json.encode(result, enc_hook=str).decode()
    return TIMES.sub(r'"\1":0', json.dumps(json.loads(text), sort_keys=True))


def memory_mib(pid: int) -> float:
    text = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    found = re.search(r"VmRSS:\s*(\d+) kB", text)
    assert found is not None
    return int(found[1]) / 1024


def descriptors(pid: int) -> int:
    return len(os.listdir(f"/proc/{pid}/fd"))


def zygote_of(pid: int) -> int:
    """The child of the session that runs the zygote's program."""
    for name in filter(str.isdecimal, os.listdir("/proc")):
        try:
            parent = Path(f"/proc/{name}/stat").read_text().rsplit(")", 1)[1].split()[1]
            words = Path(f"/proc/{name}/cmdline").read_text()
        except OSError:
            continue
        if int(parent) == pid and "grader.worker.zygote" in words:
            return int(name)
    raise AssertionError("the session has no zygote")


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_thousand_submissions_in_one_session_are_graded_as_each_alone():
    level = probe().level
    if level == "none":
        pytest.skip("hostile code needs isolation, and this host gives none")
    texts = sources()
    alone = {}
    for text in texts:
        asked = Asked(COURSE, level)
        try:
            alone[text] = timeless(asked.grade({"square": text}, limits={}))
        finally:
            asked.close()

    rng = random.Random(1)
    order = [rng.choice(texts) for _ in range(TOTAL - DISTINCT)] + texts
    rng.shuffle(order)
    asked, start = Asked(COURSE, level), (0.0, 0)
    pid = asked.process.pid
    wrong = []
    try:
        for number, text in enumerate(order):
            if number in KILLED_AT:
                os.kill(zygote_of(pid), signal.SIGKILL)
            if number == WARM:
                start = memory_mib(pid), descriptors(pid)
            if timeless(asked.grade({"square": text}, limits={})) != alone[text]:
                wrong.append((number, text))
        grown = memory_mib(pid) - start[0], descriptors(pid) - start[1]
    finally:
        asked.close()

    assert wrong == []
    assert grown[0] < GROWTH_MIB
    assert grown[1] <= GROWTH_FDS


@pytest.mark.slow
def test_zygote_that_dies_in_the_middle_of_a_call_costs_nobody_a_point():
    level = probe().level
    slow = f"import time\ntime.sleep(0.3)\n{RIGHT}"
    asked = Asked(COURSE, level)
    try:
        honest = asked.grade({"square": RIGHT}, limits={})
        before = zygote_of(asked.process.pid)
        watcher = os.fork()
        if watcher == 0:  # kills it while the file is being imported
            try:
                signal.sigtimedwait([], 0.15)
                os.kill(zygote_of(asked.process.pid), signal.SIGKILL)
            finally:
                os._exit(0)
        result = asked.grade({"square": slow}, limits={})
        os.waitpid(watcher, 0)
        assert zygote_of(asked.process.pid) != before
    finally:
        asked.close()
    assert result.status == "graded"
    assert result.score == honest.score == 100
