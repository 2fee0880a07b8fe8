import contextlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from grader.cluster import files

ROOT = Path(__file__).parents[2]
START_S = 60


class Cluster:
    """A scheduler and workers, each a process of its own, on loopback."""

    def __init__(self, root: Path) -> None:
        self.file = root / "scheduler.json"
        self.logs = root
        self.workers = []
        path = os.pathsep.join([str(ROOT), str(ROOT / "tests" / "support")])
        self.env = {
            **os.environ,
            "PYTHONPATH": path,
            "DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": "4s",
        }
        self.scheduler = self._start(
            "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard",
            "--scheduler-file", str(self.file),
        )  # fmt: skip

    def _start(self, kind, *options):
        number = len(list(self.logs.glob("*.log")))
        log = (self.logs / f"{number}-{kind}.log").open("w")
        with log:
            return subprocess.Popen(
                [sys.executable, "-m", f"distributed.cli.dask_{kind}", *options],
                env=self.env,
                stdout=log,
                stderr=log,
            )

    def add_worker(self):
        """A worker that waits for the scheduler's file by itself."""
        worker = self._start(
            "worker", "--scheduler-file", str(self.file), "--nthreads", "1",
            "--no-nanny", "--no-dashboard", "--host", "127.0.0.1",
            "--local-directory", str(self.logs), "--name", f"w{len(self.workers)}",
        )  # fmt: skip
        self.workers.append(worker)
        return worker

    @property
    def address(self) -> str:
        from distributed import Client

        with Client(scheduler_file=str(self.file), timeout=START_S) as client:
            client.wait_for_workers(len(self.workers), timeout=START_S)
        return json.loads(self.file.read_text())["address"]

    def close(self):
        for process in (*self.workers, self.scheduler):
            with contextlib.suppress(ProcessLookupError):
                process.send_signal(signal.SIGCONT)
                process.terminate()
        for process in (*self.workers, self.scheduler):
            try:
                process.wait(timeout=3)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


@pytest.fixture
def cluster(tmp_path, monkeypatch):
    (tmp_path / "dask").mkdir()
    started = Cluster(tmp_path / "dask")
    started.add_worker()
    started.add_worker()
    yield started
    started.close()
    monkeypatch.setattr(files, "YOUNG_S", -1.0)
    files.sweep(files.private_base())  # of the workers that were killed
