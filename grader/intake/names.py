"""Which exercise a file is meant for, judged by its name."""

from __future__ import annotations

import difflib
import functools
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

EXACT, CASE, COPY, PART, NEAR, FOLDER, CONTENT = range(7)
WHY = {
    CASE: "only upper and lower case or separators differ",
    COPY: "the rest of the name looks like a copy mark",
    PART: "the name contains the exercise's name",
    NEAR: "the name is near",
    FOLDER: "its folder is named like the exercise",
    CONTENT: "it defines what the exercise asks for",
}
SUFFIXES = (".py", ".ipynb", ".toml")
_SUFFIX = re.compile(r"(?:\.py|\.ipynb)(?:\.txt|\.py|\.ipynb)*$", re.IGNORECASE)
# An answer sheet of a quiz; editors that hide endings save it as a .txt.
_SHEET = re.compile(r"(?:\.toml)(?:\.txt|\.toml)*$|\.txt$", re.IGNORECASE)
_COPY_WORD = (
    r"copy|kopie|copie|final|fin|new|newest|latest|fixed|fix|done|old|updated|update|"
    r"resubmit|resubmission|submission|submit|solution|answer|my|backup|bak|v\d+"
)
_COPY_CHINESE = "的副本|副本|拷贝|最终版|最终|终版|修改版|新版"
_NUMBER = r"[(（]\s*\d+\s*[)）]|(?<!\d)\d{1,2}"
_APART = rf"[\s_.\-]+(?:{_NUMBER}|{_COPY_WORD}|{_COPY_CHINESE})"
_MARK_APART = re.compile(rf"{_APART}$", re.IGNORECASE)
_MARK = re.compile(rf"(?:{_APART}|{_NUMBER}|{_COPY_CHINESE})$", re.IGNORECASE)
_LEAD = re.compile(rf"^(?:copy of|{_COPY_WORD}|{_COPY_CHINESE})[\s_.\-]+", re.I)
# What files and folders are called that belong to one person's work: numbered
# parts of it, and the usual parts of a program.
_PARTS = re.compile(
    r"(?:p|part|hw|homework|task|problem|ex|exercise|assignment|day|week|lab|q|"
    r"question|unit|chapter|section|teil|aufgabe|blatt|sheet|v|version|try|attempt|"
    r"作业|练习|题)"
    r"[\s_.\-]*\d+[a-z]?",
    re.IGNORECASE,
)
_PROGRAM = re.compile(
    r"src|source|code|lib|notebooks?|data|docs?|tests?|conftest|solutions?|answers?|"
    r"exercises?|variants?|utils?|helpers?|main|models?|modules?|layers?|common|config|"
    r"setup|scripts?|__init__|__main__|init|run|train|play|scratch|demo|draft|old|new|"
    r"final|backup|extras?|images?|figures?|results?|outputs?|homework|grader|untitled",
    re.IGNORECASE,
)
_SEPARATORS = re.compile(r"[\s_.\-]+")
_NEAR_ENOUGH = 0.84
_NEAR_MARGIN = 0.05


@dataclass(frozen=True)
class Match:
    """``exercises`` holds one name; more when the file name is ambiguous."""

    level: int
    exercises: tuple[str, ...]
    rest: str = ""  # what else the name says: perhaps a student's name


def is_source(name: str) -> bool:
    """True for names that end like a Python file or a notebook."""
    return bool(_SUFFIX.search(name))


def is_sheet(name: str) -> bool:
    """True for names that end like an answer sheet."""
    return bool(_SHEET.search(name)) and not is_source(name)


def stem(name: str) -> str:
    """The last part of ``name`` without its ending(s)."""
    base = name.rpartition("/")[2]
    return (_SHEET if is_sheet(base) else _SUFFIX).sub("", base)


def is_ordinary(bare: str) -> bool:
    """True for names that say what a file or folder is, and not whose."""
    return is_program(bare) or bool(_PARTS.fullmatch(bare))


def is_test(bare: str) -> bool:
    """True for what is left of ``test_masked_softmax``: nobody's name."""
    return bool(re.fullmatch(r"(?:unit)?tests?|checks?", bare, re.IGNORECASE))


def is_program(bare: str) -> bool:
    """True for the usual parts of a program: ``src``, ``tests``, ``utils`` ..."""
    return not bare or bool(_PROGRAM.fullmatch(bare))


def match(name: str, exercises: Sequence[str]) -> Match | None:
    """The exercise that a file name means, or None when it says nothing.

    ``name`` may be a path; only its last part counts.
    """
    base = name.rpartition("/")[2]
    bare = stem(base)
    if bare in exercises and base[len(bare) :] in SUFFIXES:
        return Match(EXACT, (bare,))
    return match_stem(bare, exercises)


def match_stem(bare: str, exercises: Sequence[str]) -> Match | None:
    """Like ``match``, for a name that has no ending; never ``EXACT``."""
    return _match_stem(bare, tuple(exercises))


@functools.lru_cache(1_000)  # a class hands in many files of one name
def _match_stem(bare: str, exercises: tuple[str, ...]) -> Match | None:
    squeezed = {_squeeze(e): e for e in exercises}
    if _squeeze(bare) in squeezed:
        return Match(CASE, (squeezed[_squeeze(bare)],))
    unmarked = _without(_MARK, bare)
    if _squeeze(unmarked) in squeezed:
        return Match(COPY, (squeezed[_squeeze(unmarked)],))
    # In "masked_softmax_s17" the number belongs to the student: first only what
    # stands apart is taken for a mark.
    found = _part(_without(_MARK_APART, bare), exercises)
    return found or _part(unmarked, exercises) or _near(unmarked, exercises)


def _without(mark: re.Pattern[str], bare: str) -> str:
    """``Masked_Softmax (1)`` -> ``Masked_Softmax``."""
    before = ""
    while before != bare:
        before = bare
        bare = _LEAD.sub("", mark.sub("", bare)) or before
    return bare


def _fold(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


@functools.lru_cache(1_000)
def _squeeze(text: str) -> str:
    return _SEPARATORS.sub("", _fold(text))


@functools.lru_cache(1_000)
def _words(exercise: str) -> re.Pattern[str]:
    """Finds the whole name of an exercise, however its parts are set apart."""
    words = r"[\s_.\-]*".join(map(re.escape, _SEPARATORS.split(exercise)))
    return re.compile(rf"(?<![^\W_]){words}(?![^\W_])", re.IGNORECASE)


def _part(bare: str, exercises: Sequence[str]) -> Match | None:
    """The exercises whose whole name stands in ``bare``, longest names first."""
    found: list[tuple[int, int, str]] = []
    for exercise in sorted(exercises, key=len, reverse=True):
        hit = _words(exercise).search(bare)
        if hit and not any(a <= hit.start() and hit.end() <= b for a, b, _ in found):
            found.append((*hit.span(), exercise))
    if not found:
        return None
    start, end, exercise = found[0]
    rest = f"{bare[:start]} {bare[end:]}".strip(" _-.()[]")
    return Match(PART, tuple(sorted(f[2] for f in found)), rest)


def _near(bare: str, exercises: Sequence[str]) -> Match | None:
    folded = _squeeze(bare)
    scored = sorted(((_ratio(folded, _squeeze(e)), e) for e in exercises), reverse=True)
    scored = [s for s in scored if s[0] >= _NEAR_ENOUGH]
    if not scored:
        return None
    best = scored[0][0]
    return Match(NEAR, tuple(e for r, e in scored if best - r < _NEAR_MARGIN))


def _ratio(one: str, two: str) -> float:
    # Most names are too short or too long to be near, which is known at once.
    if 2 * min(len(one), len(two)) < _NEAR_ENOUGH * (len(one) + len(two)):
        return 0.0
    return difflib.SequenceMatcher(None, one, two, autojunk=False).ratio()
