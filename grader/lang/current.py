"""The language that is spoken now, and the words in it.

It is a context variable: a page may be written in one language while the
terminal speaks another. English needs no catalogue and costs nothing.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar

from grader.course import Course
from grader.lang.catalogue import ENGLISH, Words, load

_now: ContextVar[Words] = ContextVar("words", default=ENGLISH)


@contextlib.contextmanager
def speaking(language: str, course: Course | None = None) -> Iterator[Words]:
    """Speak ``language`` within the block; with the course's own words if given."""
    words = load(language, course)
    token = _now.set(words)
    try:
        yield words
    finally:
        _now.reset(token)


def spoken() -> str:
    """The language spoken now: ``"en"`` or ``"zh"``."""
    return _now.get().language


def said_now() -> Words:
    """All the words of now: what is kept of a page is kept for them."""
    return _now.get()


def _(text: str, /, **values: object) -> str:
    """Our own words, with ``{name}`` filled in afterwards."""
    found = _now.get().find(text)
    return found.format(**values) if values else found


def plural(one: str, many: str, n: int, /, **values: object) -> str:
    """``one`` or ``many`` as the language counts; ``{n}`` is filled in."""
    return _now.get().find_plural(one, many, n).format(n=n, **values)


def sentence(text: str) -> str:
    """A sentence of a result, which may have values in it already.

    Its template is found among those of the catalogues; values are kept, and
    translated where they are words themselves. What is not known stays as it is.
    """
    return _now.get().sentence(text)
