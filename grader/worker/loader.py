"""Runs beside student code: turns source text into the module of an exercise.

Sources arrive as text over the channel and are kept in a dict; the importer
below serves them, so that a hand-in may import its own other files and nothing
is ever read from disk.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import sys
import types
from collections.abc import Iterable
from typing import Any

from grader.worker import notebook
from grader.worker.texts import remember

FOLDER = "exercises"  # where the files lie while they are written


class Known(importlib.abc.Loader):
    """Gives a module that is there already, under another name as well."""

    def __init__(self, module: types.ModuleType) -> None:
        self.module = module
        self.spec = module.__spec__

    def create_module(self, spec: Any) -> types.ModuleType:
        """The module itself."""
        return self.module

    def exec_module(self, module: types.ModuleType) -> None:
        """Nothing: it has run. Its own spec is put back."""
        module.__spec__ = self.spec


class HandedIn(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Import the hand-in's own files by name.

    Args:
        sources: {module name: {"kind": "py" | "ipynb", "text": str,
            "cells": [str], "file": str}}.
        patience: (CPU seconds, wall seconds) for the cells of a notebook.
    """

    def __init__(
        self, sources: dict[str, dict[str, Any]], patience: list[float]
    ) -> None:
        self.sources = sources
        self.patience = patience
        self.warnings: list[str] = []

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        """A spec for a name that was handed in, else None."""
        if name in self.sources:
            return importlib.machinery.ModuleSpec(name, self, origin=name)
        folder, _, own = name.partition(".")
        if folder == FOLDER and own in self.sources:
            known = Known(importlib.import_module(own))
            return importlib.machinery.ModuleSpec(name, known, origin=own)
        if name == FOLDER:
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec: Any) -> None:
        """The default module."""

    def exec_module(self, module: types.ModuleType) -> None:
        """Run the file's code; cells of a notebook one by one."""
        if module.__name__ not in self.sources:
            return  # the folder itself
        source = self.sources[module.__name__]
        module.__file__ = source["file"]
        if source["kind"] == "ipynb":
            self.warnings += notebook.run_cells(module, source["cells"], self.patience)
        else:
            remember(source["file"], source["text"])
            code = compile(source["text"], source["file"], "exec", dont_inherit=True)
            exec(code, module.__dict__)


def forget(names: Iterable[str]) -> None:
    """Take modules of these names away, and the folder that they stand in as well."""
    gone = {FOLDER, *names}
    for known in [*sys.modules]:
        if known.partition(".")[0] in gone:
            del sys.modules[known]


def load(
    sources: dict[str, dict[str, Any]], name: str, patience: list[float]
) -> tuple[Any, list[str]]:
    """Execute the file of exercise ``name``; returns (module, warnings).

    The module stands in ``sys.modules`` before its code runs: dataclasses with
    postponed annotations look it up there.
    """
    finder = HandedIn(sources, patience)
    sys.meta_path.insert(0, finder)
    forget(sources)
    module = types.ModuleType(name)
    module.__spec__ = importlib.machinery.ModuleSpec(name, finder, origin=name)
    module.__loader__ = finder
    sys.modules[name] = module
    finder.exec_module(module)
    return sys.modules[name], finder.warnings
