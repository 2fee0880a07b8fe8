"""What the documents show works as shown."""

import re
import shutil
from pathlib import Path

import pytest

from grader.results import CheckResult, ExerciseResult, Outcome, SubmissionResult
from grader.session import expect, local
from grader.session.case import Case
from grader.session.checks import MARKERS

DOCUMENTS = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]


def documents(root: Path) -> list[Path]:
    return [root / name for name in DOCUMENTS] + sorted((root / "docs").glob("*.md"))


def test_no_document_names_a_path_of_somebodys_machine(root: Path):
    private = re.compile(r"(?<![\w.])/(?:home|root|work|Users|tmp)/")
    for path in documents(root):
        assert private.findall(path.read_text(encoding="utf-8")) == [], path.name


@pytest.fixture
def example_course(root: Path, tmp_path: Path) -> Path:
    """A course whose only suite is the example of docs/writing-checks.md."""
    text = (root / "docs/writing-checks.md").read_text(encoding="utf-8")
    example = text.split("```python\n", 1)[1].split("```", 1)[0]
    suites = tmp_path / "grader/suites"
    suites.mkdir(parents=True)
    (suites / "public_masked_softmax.py").write_text(example, encoding="utf-8")
    shutil.copy(root / "course.toml", tmp_path)
    shutil.copytree(root / "solutions", tmp_path / "solutions")
    return tmp_path


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        ("solutions/masked_softmax.py", "passed"),
        ("exercises/masked_softmax.py", "not_written"),
        ("grader/mistakes/masked_softmax/no_max_subtraction.py", "failed"),
    ],
)
def test_example_check_of_the_docs_tells_right_from_wrong(
    root: Path, example_course: Path, answer: str, outcome: str
):
    rows = local.run(example_course, "masked_softmax", root / answer)
    assert [row[1] for row in rows] == [outcome]


def test_docs_list_every_expectation_draw_and_no_other(root: Path):
    text = (root / "docs/writing-checks.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"expect\.(\w+)\(", text))
    assert listed == set(expect.__all__)
    table = text.split("| draw | gives |", 1)[1].split("\n\n", 1)[0]
    draws = {n for n, v in vars(Case).items() if callable(v) and not n.startswith("_")}
    assert set(re.findall(r"^\| `(\w+)\(", table, re.M)) == draws


def test_docs_list_every_mark_and_no_other(root: Path):
    text = (root / "docs/writing-checks.md").read_text(encoding="utf-8")
    table = text.split("| mark | meaning |", 1)[1].split("\n\n", 1)[0]
    listed = re.findall(r"^\| `(\w+)", table, re.M)
    assert sorted(listed) == sorted(re.split(r"[(:]", m)[0] for m in MARKERS)


def test_docs_list_every_outcome_with_its_owner(root: Path):
    text = (root / "docs/how-it-works.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^ +\| `(\w+)` \|[^|]*\| (\w*)", text, re.M))
    owners = {"nobody": "", "student": "student", "grader": "us"}
    assert rows == {o.value: owners[o.owner] for o in Outcome}


def test_fields_that_the_docs_name_are_those_of_a_result(root: Path):
    text = (root / "docs/how-it-works.md").read_text(encoding="utf-8")
    part = text.split("### `results.jsonl`", 1)[1]
    rows = re.findall(r"^\| (`.*?`) \|", part, re.M)
    listed = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
    assert listed <= set(SubmissionResult.__struct_fields__)
    inner = {name for name in re.findall(r"`(\w+)`", part.split("by name:", 1)[1])}
    known = {*CheckResult.__struct_fields__, *ExerciseResult.__struct_fields__}
    states = {"passed", "partial", "failed", "missing", "not_written", "warnings"}
    assert inner - states <= known
    assert {"key", "outcome", "mistake"} <= inner
