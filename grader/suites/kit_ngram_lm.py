"""Runs in the worker: warnings of arithmetic become exceptions for a while."""

import warnings

_guards: list[warnings.catch_warnings] = []


def refuse_warnings() -> None:
    """From here on a RuntimeWarning (0 divided by 0, say) is raised."""
    guard = warnings.catch_warnings()
    guard.__enter__()
    _guards.append(guard)
    warnings.simplefilter("error", RuntimeWarning)


def allow_warnings() -> None:
    """As it was before ``refuse_warnings``."""
    if _guards:
        _guards.pop().__exit__(None, None, None)
