"""Split grading: the judge never runs student code, the runner holds nothing."""

__version__ = "0.1.0"
