"""The benchmark: ``python -m grader.bench``. Figures of one run, never a test."""
