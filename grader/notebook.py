"""In a notebook: ``import grader.notebook as g; g.check("masked_softmax")``.

What is checked is the source of the cells that were run, in a worker of its
own, never the live objects: a verdict here is one that a hand-in would get too.
A session stays warm beside the kernel, so that only the first check waits.
"""

from __future__ import annotations

import ast
import atexit
import contextlib
import functools
import html
import io
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from grader.course import COURSE_FILE, Course, load_course
from grader.errors import EnvironmentFault, UsageError
from grader.lang import _, choose, speaking
from grader.results import SubmissionResult
from grader.session.protocol import Reply, Request
from grader.submission import Source, Submission
from grader.worker.notebook import NOT_GRADED, needs_transform, transform

language = ""  # "zh" or "en"; "": what the environment says
SEED = "local"  # that of ``grader check``: the same draws, the same names of mistakes
HEIGHT = "32em"


@contextlib.contextmanager
def _spoken(course: Course) -> Iterator[None]:
    with speaking(choose(language, os.environ), course):
        yield


class Verdict:
    """What the checks said: a report in a notebook, lines of text elsewhere."""

    def __init__(self, course: Course, result: SubmissionResult) -> None:
        self.course = course
        self.result = result

    def __repr__(self) -> str:
        from rich.console import Console

        from grader.report.editions import build
        from grader.report.terminal import print_result

        text = io.StringIO()
        # In a kernel rich would display and not write.
        console = Console(file=text, width=90, no_color=True, force_jupyter=False)
        with _spoken(self.course):
            print_result(console, build(self.result, self.course, "student"))
        return text.getvalue().rstrip()

    def _repr_html_(self) -> str:
        """The report in a frame of its own: its style and the notebook's stay apart."""
        from grader.report.html import render_report

        with _spoken(self.course):
            page = html.escape(render_report(self.result, self.course, "student"))
            title = _("Report of the checks")
        return (
            f'<iframe title="{title}" srcdoc="{page}" '
            f'style="width: 100%; height: {HEIGHT}; border: 0"></iframe>'
        )


class Session:
    """A session process beside the kernel."""

    def __init__(self, course: Course) -> None:
        command = [sys.executable, "-m", "grader.session", "--public-only"]
        self._process = subprocess.Popen(
            [*command, "--course", str(course.root)],
            cwd=course.root,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        atexit.register(self.close)

    def grade(self, submission: Submission, names: list[str]) -> SubmissionResult:
        """The result of the public checks.

        Raises:
            EnvironmentFault: the session ended.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        request = Request("1", submission, names, SEED)
        encoder = msgspec.json.Encoder(decimal_format="string")
        try:
            self._process.stdin.write(encoder.encode(request) + b"\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except OSError:
            line = b""
        if not line:
            _session.cache_clear()
            raise EnvironmentFault("the session ended; run the cell once more.")
        return msgspec.json.decode(line, type=Reply).result

    def close(self) -> None:
        """End it."""
        self._process.kill()
        self._process.wait()


@functools.lru_cache(maxsize=1)
def _session(root: Path) -> Session:
    return Session(load_course(root))


def _course() -> Course:
    for folder in (Path.cwd(), *Path.cwd().parents, Path(__file__).parents[1]):
        if (folder / COURSE_FILE).exists():
            return load_course(folder)
    raise UsageError(f"no {COURSE_FILE} here: open the notebook inside the bundle.")


def cells_of(shell: Any) -> list[str]:
    """The source of every cell that was run, each once, in the order it last ran."""
    ran = [c for c in shell.history_manager.input_hist_raw if c.strip()]
    graded = [c for c in ran if not c.lstrip().startswith(NOT_GRADED)]
    last = dict.fromkeys(reversed(graded))
    return list(reversed(last))


def submission_of(course: Course, cells: list[str]) -> Submission:
    """Cells as a hand-in: a notebook for each exercise of which they define a name."""
    from nbformat import v4, writes

    defined = set().union(*map(_names, cells)) if cells else set()
    found = Submission(id="notebook")
    for name, exercise in course.exercises.items():
        if exercise.kind == "quiz" or not defined & set(exercise.asks):
            continue
        made = [v4.new_code_cell(text) for text in cells]
        for number, cell in enumerate(made):
            cell["id"] = f"cell-{number}"
        data = writes(v4.new_notebook(cells=made)).encode()
        found.files[name] = Source(
            name, f"{name}.ipynb", data, "ipynb", cells=tuple(cells)
        )
    return found


def _names(cell: str) -> set[str]:
    try:
        tree = ast.parse(transform(cell) if needs_transform(cell) else cell)
    except SyntaxError:
        return set()
    kinds = (ast.FunctionDef, ast.ClassDef)
    return {node.name for node in tree.body if isinstance(node, kinds)}


def _shell() -> Any:
    """The kernel's shell; None where this module is imported by a worker."""
    from IPython import get_ipython

    return get_ipython()


def check(*names: str) -> Verdict | None:
    """Run the public checks of ``names`` (default: all that is defined).

    Raises:
        UsageError: nothing of an exercise is defined yet.
        CourseError: a name is unknown.
    """
    shell = _shell()
    if shell is None:
        return None
    course = _course()
    submission = submission_of(course, cells_of(shell))
    chosen = [e.name for e in course.select(list(names))] if names else []
    chosen = chosen or list(submission.files)
    if not chosen:
        raise UsageError("nothing of an exercise is defined yet: run its cells first.")
    return Verdict(course, _session(course.root).grade(submission, chosen))


def handin(out: str = "") -> None:
    """Check what is defined once more and write the zip to hand in.

    Raises:
        UsageError: nothing of an exercise is defined yet.
    """
    shell = _shell()
    if shell is None:
        return
    from grader.release.handin import receipt_words, write

    course = _course()
    submission = submission_of(course, cells_of(shell))
    result = _session(course.root).grade(submission, list(submission.files))
    checks = [c for e in result.exercises.values() for c in e.checks]
    passed = sum(c.outcome.value == "passed" for c in checks)
    target = Path(out) if out else Path.cwd() / f"{course.name}-handin.zip"
    receipt = write(course, submission, f"{passed} of {len(checks)}", target)
    with _spoken(course):
        print("\n".join(receipt_words(target, receipt)))
