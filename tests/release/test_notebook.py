"""Notebooks: made from the solutions, checked and handed in from a real kernel."""

import json
import zipfile

import nbformat
import pytest
from nbclient import NotebookClient

from grader.course import load_course
from grader.intake import read
from grader.release import bundle
from grader.skeleton_notebooks import FOLDER, course_notebooks, make_notebook
from grader.worker.notebook import NOT_GRADED

CELL_S = 120
WRONG = "def squared_distances(points, centres):\n    return points @ centres.T"


def test_notebooks_are_those_of_the_solutions_and_no_others(course):
    made = course_notebooks(course)
    there = set((course.folder("exercises") / FOLDER).iterdir())
    assert there == set(made), "run: make skeletons"
    for path, text in made.items():
        assert path.read_text(encoding="utf-8") == text, path


def test_every_line_of_the_skeleton_is_in_a_cell_and_ids_are_stable(course):
    path = course.folder("exercises") / "bahdanau_attention.py"
    skeleton = path.read_text(encoding="utf-8")
    text = make_notebook(skeleton, "bahdanau_attention")
    cells = nbformat.reads(text, as_version=4).cells
    code = "\n".join(c.source for c in cells if c.cell_type == "code")
    body = skeleton.split('"""', 2)[2]
    assert [s for s in body.splitlines() if s.strip() and s not in code] == []
    assert [c.id for c in cells[:2]] == ["bahdanau_attention-0", "bahdanau_attention-1"]
    assert make_notebook(skeleton, "bahdanau_attention") == text
    assert not any(c.get("outputs") for c in cells)


@pytest.fixture(scope="module")
def executed(root, tmp_path_factory):
    """The example course's bundle, its notebook worked in and run by a kernel."""
    kmeans = load_course(root / "examples/courses/kmeans")
    home = tmp_path_factory.mktemp("笔记本 1")
    with zipfile.ZipFile(bundle.write(kmeans, home, {})) as archive:
        archive.extractall(home)
    folder = home / "kmeans" / "exercises" / "notebooks"
    notebook = nbformat.read(folder / "assign.ipynb", as_version=4)
    solution = (kmeans.folder("solutions") / "assign.py").read_text("utf-8")
    right = "\n".join(s for s in solution.splitlines() if "SOLUTION" not in s)
    cells = notebook.cells
    work = [n for n, c in enumerate(cells) if "squared_distances" in c.source]
    cells[work[0]].source = WRONG
    second = nbformat.v4.new_code_cell(right)  # corrected further down
    shown = nbformat.v4.new_code_cell(
        f"{NOT_GRADED}\nverdict = g.check('assign')\nprint(verdict)"
    )
    cells[-1:-1] = [second, shown]
    client = NotebookClient(
        notebook,
        timeout=CELL_S,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
    )
    client.execute()
    return folder, cells


def test_check_shows_the_report_inline_and_escaped(executed):
    _, cells = executed
    (first,) = [c for c in cells if c.source.endswith('g.check("assign")')]
    (output,) = [o for o in first.outputs if o.output_type == "execute_result"]
    page = output.data["text/html"]
    assert page.startswith("<iframe title=")
    assert "A small table of squared distances" in page
    assert "<script" not in page  # whatever is in the report is escaped here
    assert "FAIL" in output.data["text/plain"]


def test_what_was_run_last_is_what_counts(executed):
    """The cell with the mistake was run before; the corrected one came later."""
    _, cells = executed
    printed = "".join(o.text for o in cells[-2].outputs if o.output_type == "stream")
    assert "public: 3 of 3" in printed


def test_handin_from_the_notebook_is_what_intake_reads(executed, root):
    folder, cells = executed
    printed = "".join(o.text for o in cells[-1].outputs if o.output_type == "stream")
    assert "public checks: 3 of 3" in printed
    archive = folder / "kmeans-handin.zip"
    kmeans = load_course(root / "examples/courses/kmeans")
    asks = {e.name: e.asks for e in kmeans.exercises.values()}
    (found,) = read([archive], list(kmeans.exercises), asks=asks).submissions
    assert list(found.files) == ["assign"]
    assert found.bundle == kmeans.version
    assert found.warnings == []
    cells = json.loads(found.files["assign"].data)["cells"]
    assert not [c for c in cells if "".join(c["source"]).startswith(NOT_GRADED)]


def test_untouched_notebook_beside_a_written_file_needs_no_word(root, tmp_path):
    kmeans = root / "examples/courses/kmeans"
    (tmp_path / "exercises" / "notebooks").mkdir(parents=True)
    name = "exercises/notebooks/assign.ipynb"
    (tmp_path / name).write_bytes((kmeans / name).read_bytes())
    right = (kmeans / "solutions/assign.py").read_bytes()
    (tmp_path / "exercises/assign.py").write_bytes(right)
    asks = {"assign": ["squared_distances", "nearest"]}
    (found,) = read([tmp_path / "exercises"], ["assign"], asks=asks).submissions
    assert found.files["assign"].kind == "py"
    assert found.warnings == []
