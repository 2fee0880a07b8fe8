"""Bring the catalogues up to date with the sources, or say where they are not.

    python -m grader.lang [--check] [--course DIR]

New words come in empty and wait for a translator; what is gone is dropped.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from grader.course import load_course
from grader.errors import CourseError
from grader.lang.catalogue import OURS, po_path
from grader.lang.extract import course_words, our_words
from grader.lang.names import LANGUAGES
from grader.lang.upkeep import updated


def _to_translate(told: list[str]) -> list[str]:
    return [line for line in told if not line.startswith("gone")]


def main(argv: list[str] | None = None) -> int:
    """0 when every catalogue is whole, 1 when not, 2 when the course is wrong."""
    parser = argparse.ArgumentParser(prog="python -m grader.lang")
    parser.add_argument("--course", type=Path, default=Path())
    parser.add_argument("--check", action="store_true", help="write nothing")
    args = parser.parse_args(argv)
    try:
        course = load_course(args.course)
    except CourseError as e:
        print(f"grader: error: {e}", file=sys.stderr)
        return e.exit_code
    ours = our_words()
    theirs = {m: w for m, w in course_words(course).items() if m not in ours}
    missing = 0
    for folder, found in ((OURS, ours), (course.folder("locale"), theirs)):
        for language in LANGUAGES[1:]:
            path = po_path(folder, language)
            text, told = updated(path, found, language)
            missing += len(told if args.check else _to_translate(told))
            for line in told:
                print(f"{path}: {line}")
            if not args.check:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(text.encode("utf-8"))
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
