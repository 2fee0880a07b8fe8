"""When a hand-in was made, where its system does not say: stamps and file times."""

from __future__ import annotations

import datetime

from grader.intake.handin import Handin
from grader.intake.tree import Entry
from grader.intake.words import show
from grader.submission import Submission


def note(submission: Submission, handin: Handin, used: list[Entry]) -> str:
    """Give ``submission`` its time and the source of it; a guess in words, or "".

    Args:
        submission: gets ``submitted_at`` and ``time_source`` unless it has a time.
        handin: with the time stamps of its folders.
        used: entries that are graded.
    """
    if submission.submitted_at:
        return ""
    guess = _by_stamp(submission, handin.stamps, used)
    if not submission.submitted_at and handin.use_file_times:
        _by_file(submission, used)
    return guess


def _by_stamp(submission: Submission, stamps: dict[str, str], used: list[Entry]) -> str:
    """The newest time stamp of the folders whose files are used."""
    tops = {e.name.partition("/")[0] for e in used}
    told = {t: s for t, s in stamps.items() if t in tops or not tops}
    if not told:
        return ""
    newest = max(told, key=lambda t: datetime.datetime.fromisoformat(told[t]))
    submission.submitted_at = told[newest]
    submission.time_source = f"time stamp of {show(newest)}"
    if len(set(told.values())) < 2 or not tops:
        return ""
    listed = "; ".join(f"{show(t)}: {told[t]}" for t in sorted(told))
    return (
        f"Its files were handed in at different times ({listed}); the newest "
        "counts. --exercise grades one assignment alone."
    )


def _by_file(submission: Submission, used: list[Entry]) -> None:
    """The newest of the times of the files that are used."""
    known = [(e.time, e.name) for e in used if e.time]
    if known:
        newest, name = max(known)
        utc = datetime.datetime.fromtimestamp(int(newest), datetime.UTC)
        submission.submitted_at = utc.isoformat()
        submission.time_source = f"file time of {show(name)}"
