"""Grading many submissions: planned, handed out, recorded, resumable."""

from grader.batch.backend import Backend
from grader.batch.client import SessionDied
from grader.batch.coordinator import grade_batch
from grader.batch.local import LocalBackend, StartedBackend, local_backend
from grader.batch.results_file import write_results
from grader.batch.stream import Drained
from grader.batch.summary import BatchSummary, Done

__all__ = [
    "Backend",
    "BatchSummary",
    "Done",
    "Drained",
    "LocalBackend",
    "SessionDied",
    "StartedBackend",
    "grade_batch",
    "local_backend",
    "write_results",
]
