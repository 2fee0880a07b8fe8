"""The zip to hand in, and its receipt: files, fingerprints, time, bundle."""

from __future__ import annotations

import datetime
import io
import re
import zipfile
from pathlib import Path

import msgspec

from grader.atomic import write_atomically
from grader.course import Course
from grader.errors import UsageError
from grader.lang import _
from grader.release import manifest
from grader.submission import Source, Submission

RECEIPT = "receipt.json"
MOST_BYTES = 64 << 10
_VERSION = re.compile(r"[\w.+-]{1,40}")


class Receipt(msgspec.Struct):
    """What was handed in. What a student's own receipt says decides nothing."""

    schema: int
    course: str
    bundle: str | None
    made: str  # ISO 8601, UTC
    files: dict[str, str]  # name -> SHA-256
    public: str = ""  # "5 of 7"


def read_receipt(data: bytes) -> Receipt | None:
    """A receipt as found in a hand-in; None when it is none of ours."""
    try:
        receipt = msgspec.json.decode(data[:MOST_BYTES], type=Receipt)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None
    if receipt.bundle is not None and not _VERSION.fullmatch(receipt.bundle):
        return None
    return receipt


def pack(course: Course, submission: Submission, public: str) -> tuple[bytes, Receipt]:
    """The zip's bytes and the receipt in it.

    Raises:
        UsageError: there is no file to hand in.
    """
    if not submission.files:
        raise UsageError(
            f"there is nothing to hand in: no file in {course.folders.exercises}/ has "
            "the name of an exercise."
        )
    here = manifest.read(course.root)
    now = datetime.datetime.now(datetime.UTC).replace(microsecond=0)
    names = {_name(source): source for source in submission.files.values()}
    receipt = Receipt(
        schema=1,
        course=course.name,
        bundle=here.version if here else None,
        made=now.isoformat(),
        files={name: source.sha256 for name, source in names.items()},
        public=public,
    )
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, source in names.items():
            archive.writestr(name, _bytes(course, source))
        archive.writestr(RECEIPT, msgspec.json.format(msgspec.json.encode(receipt)))
    return buffer.getvalue(), receipt


def _name(source: Source) -> str:
    """The exercise's own name: whatever the file was called, it is found again."""
    suffix = Path(source.path).suffix.lower() or ".py"
    return f"{source.exercise}{suffix}"


def _bytes(course: Course, source: Source) -> bytes:
    if source.data or not source.handed_in:
        return source.data
    # A notebook so big that its bytes were not kept: read it again, whole.
    return (course.folder("exercises") / source.path).read_bytes()


def write(course: Course, submission: Submission, public: str, out: Path) -> Receipt:
    """Write the zip to ``out`` and the receipt beside it; the receipt.

    Raises:
        UsageError: there is no file to hand in.
    """
    data, receipt = pack(course, submission, public)
    out.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(out, data)
    beside = out.with_suffix(".receipt.json")
    write_atomically(beside, msgspec.json.format(msgspec.json.encode(receipt)))
    return receipt


def receipt_words(target: Path, receipt: Receipt) -> list[str]:
    """The receipt in lines, and what to do with the zip."""
    checks = _("public checks: {passed}; hidden checks decide the rest")
    lines = [checks.format(passed=receipt.public)]
    lines += [f"  {digest[:16]}  {name}" for name, digest in receipt.files.items()]
    bundle = receipt.bundle or _("unknown")
    lines.append(_("made {when}, bundle {bundle}", when=receipt.made, bundle=bundle))
    lines.append(_("Hand in this file as it is: {target}", target=target))
    return lines
