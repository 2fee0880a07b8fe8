"""The coordinator's side of a Dask cluster."""

from __future__ import annotations

import contextlib
import hashlib
import ipaddress
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import dask
from distributed import Client, Security

from grader.batch.backend import Backend, ConnectionLost, wall_limit
from grader.batch.client import SessionDied
from grader.cluster.files import pack
from grader.cluster.node import COURSE, PYTHON, NodePlugin, grade_on_node
from grader.course import Course
from grader.errors import EnvironmentFault, UsageError
from grader.gradebook.keys import engine_digest
from grader.versions import library_versions

CONNECT_S = 30.0
WORKERS_S = 120.0  # a batch system may take a while to start the first one
CLOSE_S = 10.0
SLOTS_S = 2.0  # how long the number of workers is believed
RETRIES = 1  # another node, when the first could not start a session
COMMAND = (PYTHON, "-P", "-m", "grader.session", "--course", COURSE, "--isolation")


class ClusterBackend:
    """Submissions go to whichever worker is free; lost ones go to another."""

    def __init__(self, client: Client, plugin: NodePlugin, workers_s: float) -> None:
        self._client = client
        self._name = plugin.name
        self._slots = (0.0, 0)
        try:
            client.wait_for_workers(1, timeout=workers_s)
            client.register_plugin(plugin)
        except TimeoutError as e:
            client.close(timeout=CLOSE_S)
            raise EnvironmentFault(
                f"no worker has joined the scheduler within {workers_s:g} seconds."
            ) from e
        except BaseException:
            client.close(timeout=CLOSE_S)
            raise
        self._executor = client.get_executor(pure=False, retries=RETRIES)

    @property
    def slots(self) -> int:
        """One for each thread of each worker; workers may come and go."""
        when, count = self._slots
        if time.monotonic() - when > SLOTS_S:
            with contextlib.suppress(OSError, TimeoutError):
                count = sum(self._client.nthreads().values())
            self._slots = (time.monotonic(), count)
        return max(1, count)

    def submit(self, request: bytes) -> Future[bytes]:
        """See ``Backend.submit``."""
        ours: Future[bytes] = Future()
        theirs = self._executor.submit(grade_on_node, self._name, request)
        theirs.add_done_callback(lambda done: _translate(done, ours))
        return ours

    def close(self) -> None:
        """See ``Backend.close``; a scheduler that is gone is not waited for."""
        tidy = threading.Thread(target=self._tidy, daemon=True)
        tidy.start()
        tidy.join(CLOSE_S)
        with contextlib.suppress(Exception):  # whatever it is, we are leaving
            self._client.close(timeout=CLOSE_S)

    def _tidy(self) -> None:
        with contextlib.suppress(Exception):
            self._executor.shutdown(wait=False)
            self._client.unregister_worker_plugin(self._name)


def _translate(theirs: Future[bytes], ours: Future[bytes]) -> None:
    """Give our future the outcome of theirs, in the errors a coordinator knows."""
    try:
        ours.set_result(theirs.result())
    except CancelledError:
        ours.set_exception(ConnectionLost("The scheduler is gone."))
    except EnvironmentFault as e:
        ours.set_exception(e)
    except Exception as e:
        # KilledWorker: it took several workers with it. Anything else is a
        # fault between the machines. Neither is the student's.
        ours.set_exception(SessionDied(f"{type(e).__name__}: {e}"))


def cluster_backend(
    course: Course,
    address: str,
    *,
    isolation: str,
    security: Security | None = None,
    command: Sequence[str] | None = None,
    workers_s: float = WORKERS_S,
) -> Callable[[], Backend]:
    """A factory of sessions on a cluster, for ``grade_batch``.

    Without ``security`` the certificates of Dask's own configuration are used.

    Raises:
        UsageError: the scheduler is on another machine and TLS is off.
    """
    security = security or configured_tls()
    encrypted = security is not None and urlsplit(address).scheme == "tls"
    if not encrypted and not is_loopback(address):
        raise UsageError(
            f"the scheduler {address} is on another machine, so the connection must be "
            "encrypted: use its tls:// address, and give a certificate authority, a "
            "certificate and a key (docs/cluster.md)."
        )

    def make() -> Backend:
        plugin = _plugin(course, isolation, command)
        options: dict[str, Any] = {"security": security} if security else {}
        try:
            client = Client(address, timeout=CONNECT_S, set_as_default=False, **options)
        except (OSError, ValueError) as e:
            raise EnvironmentFault(
                f"the scheduler {address} cannot be reached: {e}"
            ) from e
        return ClusterBackend(client, plugin, workers_s)

    return make


def _plugin(
    course: Course, isolation: str, command: Sequence[str] | None
) -> NodePlugin:
    files = pack(course)
    words = list(command or (*COMMAND, isolation))
    mark = hashlib.sha256(files + repr(words).encode()).hexdigest()[:16]
    return NodePlugin(
        name=f"grader-{mark}",
        files=files,
        command=words,
        wall_s=wall_limit(course),
        versions=library_versions(course),
        engine=engine_digest(),
    )


def tls(authority: Path, certificate: Path, key: Path) -> Security:
    """Encrypted connections, both ends shown to be ours by ``authority``."""
    return Security(
        require_encryption=True,
        tls_ca_file=str(authority),
        tls_client_cert=str(certificate),
        tls_client_key=str(key),
    )


def configured_tls() -> Security | None:
    """What Dask's configuration says (DASK_DISTRIBUTED__COMM__TLS__CA_FILE, ...)."""
    if dask.config.get("distributed.comm.tls.ca-file", None) is None:
        return None
    return Security(require_encryption=True)


def is_loopback(address: str) -> bool:
    """True when a scheduler's address never leaves this machine."""
    host = urlsplit(address if "//" in address else f"tcp://{address}").hostname or ""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
