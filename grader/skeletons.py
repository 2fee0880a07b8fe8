"""Skeletons: what students start from, made from the reference solutions.

A solution keeps what only the reference may hold between two marks:

    # BEGIN SOLUTION name (TODO 1 of 2): what to do. About 4 lines.
    ...
    # END SOLUTION

Its skeleton is the same file with every block replaced by the mark's words
and a ``raise NotImplementedError``. The rest is copied byte for byte, so a
signature or a docstring cannot drift.
"""

from __future__ import annotations

import argparse
import re
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path

from grader.course import Course, load_course
from grader.errors import CourseError
from grader.lang import sentence, spoken
from grader.lang.skeleton import comment, translated
from grader.quiz.model import load_quiz
from grader.quiz.sheet import make_sheet

WIDTH = 79
BEGIN = re.compile(
    r"(?P<indent> *)# BEGIN SOLUTION (?P<name>[\w.]+) "
    r"\(TODO (?P<number>\d+) of (?P<total>\d+)\): (?P<task>.+)"
)
END = re.compile(r" *# END SOLUTION")


@dataclass(frozen=True)
class Block:
    """One stretch of a solution that students write themselves.

    ``first`` and ``last`` are the line numbers of the marks, from 0.
    """

    indent: str
    name: str
    number: int
    total: int
    task: str
    first: int
    last: int

    def replacement(self) -> list[str]:
        """The lines that stand in its place in the skeleton."""
        todo = f"TODO {self.number} of {self.total}"
        label = f"{self.name} ({todo})"
        stop = f'{self.indent}raise NotImplementedError("{label}")'
        if spoken() != "en":
            return [*comment(f"{todo}: {sentence(self.task)}", self.indent), stop]
        start = f"{self.indent}# "
        lines = textwrap.wrap(
            f"{todo}: {self.task}",
            WIDTH,
            initial_indent=start,
            subsequent_indent=start,
            break_long_words=False,
            break_on_hyphens=False,
        )
        return [*lines, stop]


def find_blocks(source: str, where: str = "solution") -> list[Block]:
    """The blocks of ``source``, in order.

    Raises:
        CourseError: a mark is malformed, open, nested, out of order, or there
            is none; ``where`` names the file in the message.
    """
    blocks: list[Block] = []
    opened: tuple[re.Match[str], int] | None = None
    for at, line in enumerate(source.splitlines()):
        if "BEGIN SOLUTION" in line:
            begin = BEGIN.fullmatch(line)
            if begin is None or opened:
                what = "a malformed mark" if begin is None else "a block in a block"
                raise CourseError(f"{where}:{at + 1}: {what}: {line.strip()}")
            opened = (begin, at)
        elif "END SOLUTION" in line:
            if opened is None or not END.fullmatch(line):
                raise CourseError(f"{where}:{at + 1}: an end mark without its begin.")
            blocks.append(_block(*opened, last=at))
            opened = None
    if opened:
        raise CourseError(f"{where}:{opened[1] + 1}: this block has no end mark.")
    numbers = [(b.number, b.total) for b in blocks]
    if not blocks or numbers != [(n + 1, len(blocks)) for n in range(len(blocks))]:
        raise CourseError(
            f"{where}: number the TODOs 1 of n to n of n, in order; found {numbers}."
        )
    return blocks


def _block(begin: re.Match[str], first: int, last: int) -> Block:
    return Block(
        indent=begin["indent"],
        name=begin["name"],
        number=int(begin["number"]),
        total=int(begin["total"]),
        task=begin["task"].strip(),
        first=first,
        last=last,
    )


def make_skeleton(source: str, where: str = "solution") -> str:
    """The skeleton of the solution ``source``."""
    lines = source.splitlines()
    for block in reversed(find_blocks(source, where)):
        lines[block.first : block.last + 1] = block.replacement()
    return "\n".join(lines) + "\n"


def course_skeletons(course: Course) -> dict[Path, str]:
    """Path and text of each skeleton whose solution is here, and of each sheet.

    Docstrings and TODOs are in the language that is spoken.
    """
    made: dict[Path, str] = {}
    for name in course.quizzes:
        quiz = load_quiz(course, name)
        target = course.folder("exercises") / f"{name}.toml"
        made[target] = make_sheet(course.exercises[name], quiz)
    for exercise in course.exercises.values():
        solution = course.folder("solutions") / f"{exercise.name}.py"
        if solution.exists():
            text = solution.read_text(encoding="utf-8")
            target = course.folder("exercises") / solution.name
            made[target] = translated(make_skeleton(text, str(solution)))
    return made


def main(argv: list[str] | None = None) -> int:
    """Write the skeletons that differ; with ``--check`` only name them.

    Returns:
        0 when nothing had to be done or it was done, 1 when ``--check`` found
        a difference, 2 when a solution's marks are wrong.
    """
    parser = argparse.ArgumentParser(prog="python -m grader.skeletons")
    parser.add_argument("--course", type=Path, default=Path())
    parser.add_argument("--check", action="store_true", help="write nothing")
    args = parser.parse_args(argv)
    from grader.skeleton_notebooks import course_notebooks

    try:
        course = load_course(args.course)
        made = course_skeletons(course) | course_notebooks(course)
    except CourseError as e:
        print(f"grader: error: {e}", file=sys.stderr)
        return e.exit_code
    stale = [path for path, text in made.items() if not _same(path, text)]
    for path in stale:
        if not args.check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(made[path].encode())
        print("differs" if args.check else "written", path)
    print(
        f"{len(made)} skeletons and notebooks, {len(made) - len(stale)} were up to date"
    )
    return 1 if args.check and stale else 0


def _same(path: Path, text: str) -> bool:
    return path.exists() and path.read_bytes() == text.encode()


if __name__ == "__main__":
    sys.exit(main())
