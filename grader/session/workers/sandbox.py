"""What the sandbox refuses, in words a student understands.

A refusal reaches the hand-in as an ordinary OSError. The kind of the exception
and the student's own line say what was wanted; where they do not, the sentence
names the sandbox alone.
"""

from __future__ import annotations

import re

NETWORK = "This exercise's sandbox has no network."
PROGRAMS = "This exercise's sandbox runs no other programs or processes."
FILES = {
    "full": "This exercise's sandbox has no files of yours; files can be written in "
    "the current folder and are gone afterwards.",
    "partial": "This exercise's sandbox has no files of yours, "
    "and none can be written.",
    "minimal": "This exercise's sandbox opens no files.",
}
OTHER = "This exercise's sandbox does not allow this."

# Classes that only a network gives, and what the other refusals are.
_NETWORK_KINDS = {"gaierror", "herror", "URLError", "ConnectionError", "SSLError"}
_KINDS = {"OSError", "PermissionError", "BlockingIOError"}
_ERRNO = re.compile(r"\[Errno (\d+)\]")
# EPERM, ENOENT, EAGAIN, EACCES, EROFS, ENOSYS, ENETUNREACH: what layers answer.
_REFUSALS = {1, 2, 11, 13, 30, 38, 101}
_WORDS = (
    (NETWORK, r"socket|url|http|request|connect|download|asyncio|hub\."),
    (PROGRAMS, r"subprocess|popen|system\(|fork|exec[lv]|spawn|multiproc|num_workers"),
)
_FILE_WORDS = (
    r"open\(|save|load|read|write|mkdir|savefig|to_csv|tempfile|Path\(|listdir"
)


def sentence(kinds: list[str], message: str, line: str, isolation: str) -> str:
    """One sentence for an exception that the sandbox may have caused, else "".

    Args:
        kinds: class names along the exception's resolution order.
        message: its text.
        line: the student's own line that it came from.
        isolation: the level; at "none" nothing is refused.
    """
    if isolation == "none":
        return ""
    if _NETWORK_KINDS & set(kinds):
        return NETWORK
    number = _ERRNO.search(message)
    if not _KINDS & set(kinds) or not number or int(number[1]) not in _REFUSALS:
        return ""
    for text, words in _WORDS:
        if re.search(words, line, re.IGNORECASE):
            return text
    if re.search(_FILE_WORDS, line, re.IGNORECASE) or int(number[1]) in (2, 30):
        return FILES[isolation]
    return OTHER
