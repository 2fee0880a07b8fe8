"""The gradebook: one SQLite file that keeps everything that was ever graded."""

from grader.gradebook.decisions import Decision, New, Standing
from grader.gradebook.keys import KeyMaker
from grader.gradebook.people import Enrolled, Person
from grader.gradebook.private import ABSENT, TA_ONLY, is_ta_only
from grader.gradebook.store import Gradebook, Run

__all__ = [
    "ABSENT",
    "TA_ONLY",
    "Decision",
    "Enrolled",
    "Gradebook",
    "KeyMaker",
    "New",
    "Person",
    "Run",
    "Standing",
    "is_ta_only",
]
