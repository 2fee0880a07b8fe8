"""What one session learned of a mistake, laid out for the sessions forked from it.

Sessions of a batch grade hand-ins of the same exercises and compare them with
the same mistakes. Each runs a mistake when it first needs it; the others read
what came of it. The folder is the sessions' own, and goes with the first of them.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from grader.results import Outcome
from grader.session.journal import Record


class Known(msgspec.Struct):
    """A mistake's or the reference's behaviour, as far as it was run.

    ``outcomes`` and ``records`` are by check; ``whole``: every check was run.
    """

    outcomes: dict[str, Outcome] = {}
    records: dict[str, Record] = {}
    whole: bool = False


class Shelf:
    """Behaviours by seed, exercise and module, a file each.

    Args:
        folder: of files; whoever made it removes it.

    ``from_end``: this session tries mistakes from the last one on. Two that begin
    at two ends find more of each other's.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.from_end = False

    def put(self, seed: str, exercise: str, module: str, known: Known) -> None:
        """For others to find; when it cannot be written, they run it themselves."""
        path = self._path(seed, exercise, module)
        unfinished = path.with_suffix(f".{os.getpid()}")
        with contextlib.suppress(OSError):
            unfinished.write_bytes(_encoder.encode(known))
            unfinished.replace(path)

    def get(self, seed: str, exercise: str, module: str) -> Known | None:
        """What is known of it, None when that is nothing."""
        try:
            data = self._path(seed, exercise, module).read_bytes()
            return _decoder.decode(data)
        except (OSError, msgspec.MsgspecError):
            return None

    def _path(self, seed: str, exercise: str, module: str) -> Path:
        words = "\0".join((seed, exercise, module)).encode()
        return self._folder / hashlib.sha256(words).hexdigest()[:32]


def _to_plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.astype("<f4").tobytes()
    raise NotImplementedError(type(value).__name__)


def _from_plain(kind: type, value: Any) -> Any:
    if kind is np.ndarray:
        return np.frombuffer(value, dtype="<f4")
    raise NotImplementedError(kind.__name__)


_encoder = msgspec.msgpack.Encoder(enc_hook=_to_plain)
_decoder = msgspec.msgpack.Decoder(Known, dec_hook=_from_plain)
