"""What runs on a node: a pool of sessions beside the course's files.

Only bytes and the two importable names of this module travel to a node.
"""

from __future__ import annotations

import atexit
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from distributed import WorkerPlugin, get_worker

from grader.batch.client import SessionDied
from grader.batch.local import SessionPool
from grader.cluster.files import NodeFolder
from grader.course import load_course
from grader.errors import EnvironmentFault
from grader.gradebook.keys import engine_digest
from grader.versions import library_versions

PYTHON, COURSE = "{python}", "{course}"  # filled in on the node


class NodePlugin(WorkerPlugin):
    """Prepares each worker, also one that joins later, and cleans up after it."""

    def __init__(
        self,
        name: str,
        files: bytes,
        command: Sequence[str],
        wall_s: float,
        versions: Mapping[str, str],
        engine: str,
    ) -> None:
        self.name = name
        self.files = files
        self.command = list(command)
        self.wall_s = wall_s
        self.versions = dict(versions)
        self.engine = engine

    def setup(self, worker: Any) -> None:
        """Unpack the course and be ready to start sessions.

        Raises:
            EnvironmentFault: this node would grade differently.
        """
        folder = NodeFolder(self.files)
        atexit.register(folder.close)
        try:
            self._compare(library_versions(load_course(folder.path)))
        except BaseException:
            folder.close()
            raise
        words = {PYTHON: sys.executable, COURSE: str(folder.path)}
        command = [words.get(word, word) for word in self.command]
        self.folder = folder
        self.pool = SessionPool(command, worker.state.nthreads, self.wall_s)
        atexit.register(self.pool.kill)

    def _compare(self, here: Mapping[str, str]) -> None:
        for name, wanted in self.versions.items():
            if here.get(name) != wanted:
                raise EnvironmentFault(
                    f"a node has {name} {here.get(name)}, the coordinator {wanted}; "
                    "install the same versions everywhere."
                )
        if engine_digest() != self.engine:
            raise EnvironmentFault(
                "a node has another version of the grader than the coordinator; "
                "install the same one everywhere."
            )

    def teardown(self, worker: Any) -> None:
        """End the sessions and remove the course."""
        self.pool.kill()
        self.folder.close()


def grade_on_node(name: str, request: bytes) -> bytes:
    """Grade one submission on the worker that runs this task."""
    plugin = get_worker().plugins.get(name)
    if not isinstance(plugin, NodePlugin):
        raise SessionDied("the node was not prepared")
    return plugin.pool.grade(request)
