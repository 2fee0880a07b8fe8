"""What is wrong before any number: names, signatures, a forgotten return.

Each has words of its own, since "NameError was raised" says less than which
name, and a signature that does not fit says nothing about the body.
"""

from __future__ import annotations

import difflib
import re
from typing import NamedTuple

NO_RETURN = "Does every way through the function end in a return?"
SIGNATURE = "Which parameters does your def line have, and which does the task ask for?"
MOST_TEXT = 200_000  # characters of a source that are searched for near names
CUTOFF = 0.7
_UNDEFINED = re.compile(r"name '(\w{1,80})' is not defined")
_SIGNATURE = re.compile(
    r"\b(takes|missing) .*argument|unexpected keyword argument|multiple values for"
)
_IDENTIFIER = re.compile(r"[A-Za-z_]\w{1,79}")
# How suites call what somebody else wrote, and how it is called in a source.
_RULE = re.compile(r"ready-made|without \[")
_READY_MADE = re.compile(r"scaled_dot_product|multi_head_attention|MultiheadAttention")


class Words(NamedTuple):
    """How far the answer came, the sentence for it, and a hint."""

    stage: str
    message: str
    hint: str


def of_exception(kind: str, message: str, in_body: bool, source: str) -> Words | None:
    """Words for an exception that is about names or signatures, else None.

    Args:
        kind: class of the exception.
        message: its first line.
        in_body: whether a line of the hand-in was reached.
        source: the hand-in's text, for names near to one that is not defined.
    """
    if kind in ("NameError", "UnboundLocalError"):
        found = _UNDEFINED.search(message)
        if found:
            return _undefined(found[1], source)
    if kind == "TypeError" and not in_body and _SIGNATURE.search(message):
        said = f"It cannot be called as the exercise calls it: {message}."
        return Words("call", said, SIGNATURE)
    return None


def line_of_ready_made(what: str, source: str) -> int | None:
    """Where a hand-in that used ready-made attention names it; it only explains.

    Args:
        what: what the failed expectation was about.
        source: the hand-in's text, of which so much is read.
    """
    if not _RULE.search(what):
        return None
    found = _READY_MADE.search(source[:MOST_TEXT])
    return source.count("\n", 0, found.start()) + 1 if found else None


def nothing_came_back(what: str) -> str:
    """The sentence for an answer that is None."""
    return f"Nothing came back (None) where this was asked for: {what}."


def _undefined(name: str, source: str) -> Words:
    names = {n for n in _IDENTIFIER.findall(source[:MOST_TEXT]) if n != name}
    near = difflib.get_close_matches(name, sorted(names)[:5000], n=1, cutoff=CUTOFF)
    hint = f"Where is {name} meant to come from: an import, an argument, a line above?"
    if near:
        hint = f"Is {near[0]} the name that was meant?"
    return Words("undefined", f"The name {name} is not defined.", hint)
