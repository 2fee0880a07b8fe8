"""Which languages there are, and which one somebody wants."""

from __future__ import annotations

from collections.abc import Mapping

from grader.errors import UsageError

LANGUAGES = ("en", "zh")
# In this order: what POSIX and gettext say about the language of messages.
VARIABLES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")


def choose(asked: str, environ: Mapping[str, str]) -> str:
    """The language to speak: what was asked for, else what the environment says.

    ``LANGUAGE`` lists several in order, and counts for nothing in the locale C.

    Raises:
        UsageError: a language was asked for that there is not.
    """
    if asked:
        found = _known(asked)
        if not found:
            raise UsageError(f"--lang {asked}: it is one of {', '.join(LANGUAGES)}.")
        return found
    locale = next((environ[v] for v in VARIABLES[1:] if environ.get(v)), "")
    if locale in ("C", "POSIX"):
        return "en"
    listed = environ.get("LANGUAGE", "").split(":")
    wanted = [w for w in (*listed, locale) if w]
    return next((found for w in wanted if (found := _known(w))), "en")


def _bare(locale: str) -> str:
    """``zh_CN.UTF-8`` -> ``zh``."""
    for mark in ".@_-":
        locale = locale.partition(mark)[0]
    return locale.casefold()


def _known(locale: str) -> str:
    bare = _bare(locale)
    return bare if bare in LANGUAGES else ""
