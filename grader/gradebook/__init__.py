"""The gradebook: one SQLite file that keeps everything that was ever graded."""

from grader.gradebook.keys import KeyMaker
from grader.gradebook.private import TA_ONLY, is_ta_only
from grader.gradebook.reading import Person
from grader.gradebook.store import Gradebook, Run

__all__ = [
    "TA_ONLY",
    "Gradebook",
    "KeyMaker",
    "Person",
    "Run",
    "is_ta_only",
]
