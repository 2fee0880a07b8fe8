"""Skeletons as notebooks: the same text in cells, for who works in a browser.

The cells have fixed ids and no outputs, so that a notebook made anew from the
same solution is the same file.
"""

from __future__ import annotations

import ast
import itertools
from pathlib import Path
from typing import Any

import nbformat
from nbformat import v4

from grader.course import Course
from grader.skeletons import course_skeletons

FOLDER = "notebooks"
SET_UP = """\
# not graded: run this cell first
import glob, os, pathlib, subprocess, sys, zipfile

if "google.colab" in sys.modules and not glob.glob("*/course.toml"):
    # Upload the bundle beforehand (folder symbol on the left). What is installed
    # already, torch above all, is kept.
    zipfile.ZipFile(sorted(glob.glob("*-student-*.zip"))[-1]).extractall()
    needs = glob.glob("*/requirements.txt")[0]
    subprocess.run([sys.executable, "-m", "pip", "install", "-q", "-r", needs])
here = pathlib.Path.cwd()
near = [here, *here.parents, *here.glob("*/")]
root = next(p for p in near if (p / "course.toml").exists())
sys.path.insert(0, str(root))
import grader.notebook as g
"""
CHECK = '# not graded: the public checks on what is defined above\ng.check("{name}")'
HAND_IN = "# not graded: the zip to hand in, of everything that is defined\ng.handin()"


def make_notebook(skeleton: str, name: str) -> str:
    """The notebook of the skeleton of exercise ``name``, as JSON text."""
    tree = ast.parse(skeleton)
    lines = skeleton.splitlines()
    first = ast.get_docstring(tree, clean=True) or name
    title, _, rest = first.partition("\n")
    cells: list[Any] = [
        v4.new_markdown_cell(f"# {title}\n{rest}".rstrip()),
        v4.new_code_cell(SET_UP.rstrip()),
        *[v4.new_code_cell(text) for text in _parts(tree, lines)],
        v4.new_code_cell(CHECK.format(name=name)),
        v4.new_code_cell(HAND_IN),
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
