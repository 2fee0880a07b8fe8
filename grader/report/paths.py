"""Where reports are written, under names that any file system accepts."""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
import unicodedata
from pathlib import Path
from urllib.parse import quote

from grader.errors import EnvironmentFault

KINDS = ("ta", "student")
_PLAIN = re.compile(r"\w[\w.-]*")
_UNSAFE = re.compile(r"[^\w.-]+")
_LONGEST = 100
_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?")


def report_name(submission: str) -> str:
    """``<id>.html``, or a safe form of it with a hash where the id is odd.

    An id is data: it may hold slashes, dots, 300 characters or a lone
    surrogate. Two different ids never get the same name.
    """
    plain = _PLAIN.fullmatch(submission) and not _RESERVED.fullmatch(submission)
    composed = unicodedata.is_normalized("NFC", submission)
    if plain and composed and len(submission.encode()) <= _LONGEST:
        return f"{submission}.html"
    digest = hashlib.sha256(submission.encode("utf-8", "surrogatepass")).hexdigest()
    ascii_part = _UNSAFE.sub("_", submission.encode("ascii", "replace").decode())
    # "~" occurs in no plain name, so the two forms cannot meet.
    return f"{ascii_part.strip('._-')[:40] or 'id'}~{digest[:16]}.html"


def report_path(out_dir: Path, submission: str, kind: str) -> Path:
    """Where the ``kind`` edition of a submission's report lies."""
    return out_dir / "reports" / kind / report_name(submission)


def report_href(submission: str, kind: str) -> str:
    """The link to a report from the class page."""
    return f"reports/{kind}/{quote(report_name(submission))}"


def write_atomic(path: Path, text: str) -> None:
    """Write all of ``text`` or nothing: a reader never sees half a page.

    Pages can be made again from the gradebook, so unlike ``grader.atomic`` this
    does not wait for the disk: a class has 10,000 of them.

    Raises:
        EnvironmentFault: the folder cannot be written to.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".tmp")
    except OSError as e:
        e.filename = str(path)
        raise EnvironmentFault(f"{path} cannot be written: {e.strerror}.") from e
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        os.chmod(temporary, 0o644)  # mkstemp makes it readable by its owner alone
        os.replace(temporary, path)
    except BaseException as e:
        Path(temporary).unlink(missing_ok=True)
        if isinstance(e, OSError):
            e.filename = str(path)
            raise EnvironmentFault(f"{path} cannot be written: {e.strerror}.") from e
        raise
