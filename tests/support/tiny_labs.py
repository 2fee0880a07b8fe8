"""Hand-ins of the tiny lab, and what tests remember of each."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from grader.results import CheckResult, SubmissionResult
from grader.wire import Note

SOLUTION = Path(__file__).parents[1] / "courses" / "labs" / "solutions" / "tiny.py"
RIGHT = SOLUTION.read_text(encoding="utf-8")
DOUBLE = "def double(x):\n    return x + x\n\n\n"
TRIES = DOUBLE + (
    "tries = []\n\n\ndef fit(steps, report):\n"
    "    tries.append(steps)\n    print('fitting')\n"
    "    return {values}[len(tries) - 1]\n"
)
BUSY = DOUBLE + (
    "import time\n\n\ndef fit(steps, report):\n"
    "    start = time.process_time()\n"
    "    while time.process_time() - start < {seconds}:\n        pass\n"
    "    return 3.0\n"
)
REPORTS = DOUBLE + "def fit(steps, report):\n    {body}\n    return 3.0\n"
FLOOD = (
    "import gc\n"
    "    tell = next(o for o in gc.get_objects() if type(o).__name__ == 'Server')"
    ".channel.tell\n"
    "    from grader import wire\n"
    "    frame = wire.note_frame(wire.Note(1, 2, 3.0))\n"
    "    while True:\n        tell(frame)"
)
HANDINS = {
    "right": RIGHT,
    "compared": RIGHT,
    "compared_by_what_it_has_seen": TRIES.format(values=[3.0, 2.0, 1.0]),
    "unwritten": "def double(x):\n    raise NotImplementedError\n\n\n"
    "def fit(steps, report):\n    raise NotImplementedError\n",
    "wrong": "def double(x):\n    return x\n\n\n"
    "def fit(steps, report):\n    print('fitting')\n    return 3.0\n",
    "second_try": TRIES.format(values=[2.5, 3.01, 3.0]),
    "three_tries": TRIES.format(values=[9.0, 2.8, 2.1]),
    "nan": TRIES.format(values="[float('nan'), 2.5, 2.9]"),
    "longer_than_a_check": BUSY.format(seconds=0.8),
    "without_end": BUSY.format(seconds="float('inf')"),
    "chatty": REPORTS.format(
        body="for n in range(12_000):\n        report(n, -1, float('inf'))"
    ),
    "no_number": REPORTS.format(body="report('now', 2, 3)"),
    "flood": REPORTS.format(body=FLOOD),
}


@dataclass
class Seen:
    """One hand-in's result, its checks by id, the notes (exercise, label, note)."""

    result: SubmissionResult = field(init=False)
    checks: dict[str, CheckResult] = field(default_factory=dict)
    told: list[tuple[str, str, Note]] = field(default_factory=list)
