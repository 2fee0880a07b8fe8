"""``bundle.json``: what a bundle holds, of which version, and whose each file is."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import msgspec

from grader.errors import UsageError

NAME = "bundle.json"
MOST_BYTES = 4 << 20


class File(msgspec.Struct):
    """One file. ``yours``: the student writes in it, so no update replaces it."""

    sha256: str
    yours: bool = False


class Manifest(msgspec.Struct):
    """A bundle. ``files`` are named relative to its folder, with ``/``."""

    schema: int
    course: str
    version: str
    engine: str
    files: dict[str, File] = {}


def digest(data: bytes) -> str:
    """Hex SHA-256."""
    return hashlib.sha256(data).hexdigest()


def encode(manifest: Manifest) -> bytes:
    """As it lies in the bundle."""
    return msgspec.json.format(msgspec.json.encode(manifest), indent=1) + b"\n"


def decode(data: bytes, where: str) -> Manifest:
    """Read and validate.

    Raises:
        UsageError: it is no manifest, or names a file outside of the bundle.
    """
    try:
        manifest = msgspec.json.decode(data, type=Manifest)
    except (msgspec.MsgspecError, UnicodeDecodeError) as e:
        raise UsageError(f"{where} holds no student bundle: {e}.") from e
    if manifest.schema != 1:
        raise UsageError(f"{where} is of a newer kind; unpack the new bundle instead.")
    for name in manifest.files:
        parts = name.split("/")
        if "\\" in name or ":" in name or name[:1] == "/" or {"..", ".", ""} & {*parts}:
            raise UsageError(f"{where} names a file outside of the bundle: {name!r}.")
    return manifest


def read(root: Path) -> Manifest | None:
    """The manifest of the bundle at ``root``; None where there is none."""
    try:
        data = (root / NAME).read_bytes()
    except OSError:
        return None
    return decode(data, str(root / NAME))


def order(version: str) -> tuple[int, ...]:
    """A version as numbers that compare: "2026.1.10" is above "2026.1.9"."""
    return tuple(int(n) for n in re.findall(r"\d{1,9}", version))
