"""Prove the suites of a course: its own answers, and those of others."""
