"""Bring a bundle up to date: engine and checks are replaced, a student's work never."""

from __future__ import annotations

import zipfile
from dataclasses import dataclass, field
from pathlib import Path

from grader.atomic import write_atomically
from grader.errors import UsageError
from grader.release import manifest
from grader.release.manifest import Manifest

MOST_FILE_BYTES = 32 << 20


@dataclass
class Updated:
    """What an update did. ``kept``: changed by the student, so left as they are."""

    version_before: str
    version: str
    written: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)


def update(root: Path, archive: Path) -> Updated:
    """Replace what the bundle at ``root`` brought by what ``archive`` brings.

    The manifest is written last: an update that broke off is done again whole.

    Raises:
        UsageError: ``root`` is no bundle, ``archive`` none, of another course,
            older, or damaged. Nothing is changed then.
    """
    here = manifest.read(root)
    if here is None:
        raise UsageError(f"{root} is no student bundle ({manifest.NAME} is missing).")
    new, files = read_archive(archive)
    if new.course != here.course:
        raise UsageError(f"{archive} is for {new.course}, not for {here.course}.")
    if manifest.order(new.version) < manifest.order(here.version):
        raise UsageError(
            f"{archive} is version {new.version}; here is {here.version} already."
        )
    done = Updated(here.version, new.version)
    for name, data in files.items():
        if _is_students(root, name, here, new):
            done.kept.append(name)
        elif not _is_same(root / name, data):
            _write(root / name, data)
            done.written.append(name)
    for name in here.files.keys() - new.files.keys():
        if not here.files[name].yours and (root / name).is_file():
            (root / name).unlink()
            done.removed.append(name)
    write_atomically(root / manifest.NAME, manifest.encode(new))
    return done


def read_archive(archive: Path) -> tuple[Manifest, dict[str, bytes]]:
    """The manifest and the files of a bundle, each held to its digest.

    Raises:
        UsageError: it cannot be read, or is damaged.
    """
    try:
        with zipfile.ZipFile(archive) as opened:
            infos = {i.filename.partition("/")[2]: i for i in opened.infolist()}
            if manifest.NAME not in infos:
                raise UsageError(f"{archive} is no student bundle.")
            new = manifest.decode(_member(opened, infos[manifest.NAME]), str(archive))
            files = {name: _member(opened, infos[name]) for name in new.files}
    except (OSError, zipfile.BadZipFile, KeyError, NotImplementedError) as e:
        raise UsageError(f"{archive} cannot be read: {e}. Download it again.") from e
    for name, data in files.items():
        if manifest.digest(data) != new.files[name].sha256:
            raise UsageError(f"{archive} is damaged at {name}. Download it again.")
    return new, files


def _member(opened: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    if info.file_size > MOST_FILE_BYTES:
        raise UsageError(f"{info.filename} is too big for a student bundle.")
    with opened.open(info) as file:
        return file.read(MOST_FILE_BYTES)


def _is_students(root: Path, name: str, here: Manifest, new: Manifest) -> bool:
    """True when the student wrote in it, or made a file of this name."""
    if not new.files[name].yours or not (root / name).exists():
        return False
    before = here.files.get(name)
    current = manifest.digest((root / name).read_bytes())
    if current == new.files[name].sha256:
        return False
    return before is None or current != before.sha256


def _is_same(path: Path, data: bytes) -> bool:
    return path.is_file() and path.read_bytes() == data


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, data)
