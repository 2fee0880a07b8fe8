"""The solutions, where they are at hand: what answers are compared with."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

from grader.course import Course
from grader.session.local import load_module


class References:
    """The solutions of a course; each is imported once, when first asked for."""

    def __init__(self, course: Course) -> None:
        self._course = course
        self._modules: dict[str, ModuleType | None] = {}

    def path(self, name: str) -> Path:
        """Where the solution of ``name`` lies (or would lie)."""
        return self._course.folder("solutions") / f"{name}.py"

    def module(self, name: str) -> ModuleType | None:
        """The solution's module, None where solutions are not at hand."""
        if name not in self._modules:
            path = self.path(name)
            self._modules[name] = (
                load_module(path, f"reference_{name}") if path.exists() else None
            )
        return self._modules[name]
