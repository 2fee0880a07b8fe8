"""torch for the session, or what stands for it in a course that does not use it.

A session of a course without torch must not import it (half a second and 200 MB
that numpy has no use for). The session's modules take ``torch`` from here: in
such a course it is a stand-in, of whose classes nothing is an instance.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from typing import Any

_is_used = True


def choose(libraries: Iterable[str]) -> None:
    """Say which libraries the course has, before its session is imported."""
    global _is_used
    _is_used = "torch" in libraries


class _AbsentType(type):
    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Absent


class Absent(metaclass=_AbsentType):
    """Stands for torch, for every name in it, and has no instances."""

    def __new__(cls, *args: object, **kwargs: object) -> Absent:
        """Raises."""
        raise TypeError("this course does not use torch")

    @staticmethod
    def is_grad_enabled() -> bool:
        """There is nothing to differentiate."""
        return False

    @staticmethod
    def set_grad_enabled(on: bool) -> None:
        """There is nothing to differentiate."""


def __getattr__(name: str) -> Any:
    if name == "torch":
        return importlib.import_module("torch") if _is_used else Absent
    raise AttributeError(name)
