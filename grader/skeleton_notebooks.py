"""Skeletons as notebooks: the same text in cells, for who works in a browser.

Words are in the language that is spoken. The cells have fixed ids and no outputs,
so that a notebook made anew from the same solution is the same file.
"""

from __future__ import annotations

import ast
import itertools
from pathlib import Path
from typing import Any

import nbformat
from nbformat import v4

from grader.course import Course
from grader.lang import _, spoken
from grader.quiz.sheet import wrap
from grader.skeletons import course_skeletons
from grader.worker.notebook import NOT_GRADED

FOLDER = "notebooks"
SET_UP = """\
{first}
import glob, os, pathlib, subprocess, sys, zipfile

if "google.colab" in sys.modules and not glob.glob("*/course.toml"):
{upload}
    zipfile.ZipFile(sorted(glob.glob("*-student-*.zip"))[-1]).extractall()
    needs = glob.glob("*/requirements.txt")[0]
    subprocess.run([sys.executable, "-m", "pip", "install", "-q", "-r", needs])
here = pathlib.Path.cwd()
near = [here, *here.parents, *here.glob("*/")]
root = next(p for p in near if (p / "course.toml").exists())
sys.path.insert(0, str(root))
import grader.notebook as g
"""
WIDTH = 76  # of a comment's words
IN_CHINESE = 'g.language = "zh"'


def make_notebook(skeleton: str, name: str) -> str:
    """The notebook of the skeleton of exercise ``name``, as JSON text."""
    tree = ast.parse(skeleton)
    lines = skeleton.splitlines()
    first = ast.get_docstring(tree, clean=True) or name
    title, _rule, rest = first.partition("\n")
    check = _("the public checks on what is defined above")
    hand_in = _("the zip to hand in, of everything that is defined")
    cells: list[Any] = [
        v4.new_markdown_cell(f"# {title}\n{rest}".rstrip()),
        v4.new_code_cell(_set_up()),
        *[v4.new_code_cell(text) for text in _parts(tree, lines)],
        v4.new_code_cell(f'{_not_graded(check)}\ng.check("{name}")'),
        v4.new_code_cell(f"{_not_graded(hand_in)}\ng.handin()"),
    ]
    for number, cell in enumerate(cells):
        cell["id"] = f"{name[:50]}-{number}"
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    notebook = v4.new_notebook(
        cells=cells,
        metadata={"kernelspec": kernel, "language_info": {"name": "python"}},
    )
    nbformat.validate(notebook)
    return str(nbformat.writes(notebook)) + "\n"


def _not_graded(words: str) -> str:
    """The comment by which intake knows a cell that is no answer."""
    return f"{NOT_GRADED}: {words}"


def _set_up() -> str:
    """The first cell; a notebook in Chinese also speaks it where nothing else does."""
    upload = _(
        "Upload the bundle beforehand (folder symbol on the left). "
        "What is installed already, torch above all, is kept."
    )
    text = SET_UP.format(
        first=_not_graded(_("run this cell first")),
        upload="\n".join(f"    # {line}" for line in wrap(upload, WIDTH)),
    )
    return text.rstrip() if spoken() == "en" else text + IN_CHINESE


def _parts(tree: ast.Module, lines: list[str]) -> list[str]:
    """Source by cells: what stands before the first definition, then each one."""
    starts = []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            above = [d.lineno for d in node.decorator_list]
            starts.append(min([node.lineno, *above]) - 1)
    # Comments right above a definition belong to it.
    starts = [_with_comments(lines, start) for start in starts]
    docstring = tree.body[0].end_lineno or 0 if ast.get_docstring(tree) else 0
    edges = [docstring, *starts, len(lines)]
    pairs = itertools.pairwise(edges)
    found = ["\n".join(lines[a:b]).strip("\n") for a, b in pairs]
    return [text for text in found if text.strip()]


def _with_comments(lines: list[str], start: int) -> int:
    while start > 0 and lines[start - 1].startswith("#"):
        start -= 1
    return start


def course_notebooks(course: Course) -> dict[Path, str]:
    """Path and text of the notebook of each skeleton of ``course``."""
    return {
        path.parent / FOLDER / f"{path.stem}.ipynb": make_notebook(text, path.stem)
        for path, text in course_skeletons(course).items()
        if path.suffix == ".py"  # a quiz is answered in its sheet
    }
