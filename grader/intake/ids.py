"""Ids of submissions: safe as file names and in a shell, stable, unique."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter

from grader.intake.words import show
from grader.submission import Submission

_MOST = 64
_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?")


def safe_id(name: str) -> str:
    """``name`` with only letters, digits, ``_``, ``.`` and ``-`` in it.

    Letters of any script stay: a teacher knows students by them.
    """
    text = unicodedata.normalize("NFC", name)
    text = re.sub(r"[^\w.]+", "-", text)
    text = re.sub(r"\.{2,}", ".", text).strip("-.")
    while len(text) > _MOST or len(text.encode()) > 2 * _MOST:
        text = text[:-1]
    text = text.rstrip("-.")
    if _RESERVED.fullmatch(text):
        text += "_"
    return text or "submission"


def make_unique(submissions: list[Submission]) -> None:
    """Turn names in ``id`` into safe ids that differ, also without their case.

    Where two collide, the one whose name is already its id keeps it; the
    others get a suffix from their name, not from their place, so that late
    hand-ins move nobody's id.
    """
    wanted = [safe_id(s.id) for s in submissions]
    times = Counter(w.casefold() for w in wanted)
    taken: set[str] = set()
    collided = []
    for submission, want in zip(submissions, wanted, strict=True):
        keeps = submission.id == want == want.casefold() or times[want.casefold()] == 1
        if keeps and want.casefold() not in taken:
            taken.add(want.casefold())
            submission.id = want
        else:
            collided.append((submission, want))
    for submission, want in collided:
        _disambiguate(submission, want, taken)


def _disambiguate(submission: Submission, want: str, taken: set[str]) -> None:
    if submission.id == want and want.casefold() in taken and want == want.casefold():
        suffixes = []  # the very same name twice: only the order tells them apart
    else:
        suffixes = [hashlib.sha256(submission.id.encode()).hexdigest()[:4]]
    number = 2
    while True:
        suffix = suffixes.pop() if suffixes else str(number)
        candidate = f"{want}-{suffix}"
        if candidate.casefold() not in taken:
            break
        number += 1
    taken.add(candidate.casefold())
    submission.warnings.append(
        f"Another hand-in has nearly the same name as {show(submission.id)}; this one "
        f"is called {candidate}."
    )
    submission.id = candidate
