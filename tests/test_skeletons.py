"""exercises/ is made from solutions/, gives nothing away and teaches the same."""

import ast
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from grader.course import Course, load_course
from grader.errors import CourseError
from grader.skeletons import WIDTH, find_blocks, main, make_skeleton

ROOT = Path(__file__).resolve().parents[1]
NAMES = [
    name
    for name in load_course(ROOT).exercises
    if (ROOT / "solutions" / f"{name}.py").exists()
]
TWO_BLOCKS = '''"""Exercise."""


def double(x):
    """Twice x."""
    # BEGIN SOLUTION double (TODO 1 of 2): add it to itself. 1 line.
    return x + x
    # END SOLUTION


def halve(x):
    """Half of x."""
    # BEGIN SOLUTION halve (TODO 2 of 2): divide. 1 line.
    return x / 2
    # END SOLUTION
'''


def solution(name: str) -> str:
    return (ROOT / "solutions" / f"{name}.py").read_text(encoding="utf-8")


def skeleton(name: str) -> str:
    return (ROOT / "exercises" / f"{name}.py").read_text(encoding="utf-8")


def interface(source: str) -> list[tuple[str, str, str | None]]:
    """Kind and head of each class and function, in order, with its docstring."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module):
            found.append(("module", "", ast.get_docstring(node)))
        elif isinstance(node, ast.ClassDef):
            bases = ", ".join(map(ast.unparse, node.bases))
            found.append(("class", f"{node.name}({bases})", ast.get_docstring(node)))
        elif isinstance(node, ast.FunctionDef):
            head = f"{node.name}({ast.unparse(node.args)})"
            if node.returns:
                head += f" -> {ast.unparse(node.returns)}"
            found.append(("def", head, ast.get_docstring(node)))
    return found


def hidden_helpers(name: str) -> list[tuple[str, str, str | None]]:
    """Functions that a solution defines between its marks: not shown."""
    made = []
    lines = solution(name).splitlines()
    for block in find_blocks(solution(name)):
        inside = textwrap.dedent("\n".join(lines[block.first + 1 : block.last]))
        made += [x for x in interface(inside) if x[0] == "def"]
    return made


def split(source: str) -> tuple[set[str], set[str]]:
    """Stripped lines (between the marks, elsewhere), blank ones left out."""
    lines = source.splitlines()
    inside: set[int] = set()
    for block in find_blocks(source):
        inside.update(range(block.first + 1, block.last))
    between = {lines[n].strip() for n in inside} - {""}
    return between, {s.strip() for n, s in enumerate(lines) if n not in inside}


def test_every_exercise_of_the_course_with_suites_has_a_solution(course: Course):
    with_suites = [n for n in course.exercises if course.suite_paths(n)]
    assert with_suites
    assert set(with_suites) <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_skeleton_is_what_the_solution_makes(name: str):
    assert skeleton(name) == make_skeleton(solution(name), name), "run: make skeletons"


@pytest.mark.parametrize("name", NAMES)
def test_skeleton_keeps_every_signature_and_docstring(name: str):
    kept = [x for x in interface(solution(name)) if x not in hidden_helpers(name)]
    assert interface(skeleton(name)) == kept


@pytest.mark.parametrize("name", NAMES)
def test_no_line_between_the_marks_stands_in_the_skeleton(name: str):
    between, elsewhere = split(solution(name))
    shown = {line.strip() for line in skeleton(name).splitlines()}
    assert between
    assert (between - elsewhere) & shown == set()


@pytest.mark.parametrize("name", NAMES)
def test_skeleton_is_short_and_narrow(name: str):
    lines = skeleton(name).splitlines()
    # One screen; an exercise of many small functions gets 30 lines for each.
    todos = len(find_blocks(solution(name)))
    assert len(lines) < max(80, 30 * todos)
    assert [line for line in lines if len(line) > WIDTH] == []


@pytest.mark.parametrize("name", NAMES)
def test_each_todo_says_what_and_how_many_lines(name: str):
    for block in find_blocks(solution(name)):
        assert block.task.endswith(("line.", "lines.")), block.task


def test_no_skeleton_is_left_over_from_an_exercise_that_is_gone():
    assert {p.stem for p in (ROOT / "exercises").glob("*.py")} == set(NAMES)


def test_skeletons_pass_ruff():
    ruff = [sys.executable, "-m", "ruff"]
    for command in (["check"], ["format", "--check"]):
        done = subprocess.run(
            [*ruff, *command, "exercises"], cwd=ROOT, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stdout


def test_a_block_becomes_its_task_and_a_raise():
    made = make_skeleton(TWO_BLOCKS)
    assert "    # TODO 2 of 2: divide. 1 line.\n" in made
    assert '    raise NotImplementedError("halve (TODO 2 of 2)")\n' in made
    assert "x + x" not in made
    assert "SOLUTION" not in made


def test_a_long_task_is_wrapped_at_the_indent_of_its_block():
    long = TWO_BLOCKS.replace("divide.", "divide " + "with care " * 12 + "once.")
    wrapped = [x for x in make_skeleton(long).splitlines() if "care" in x]
    assert len(wrapped) == 2
    assert all(x.startswith("    # ") and len(x) <= WIDTH for x in wrapped)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("    # END SOLUTION\n\n\n", "\n\n", "a block in a block"),
        ("(TODO 2 of 2)", "(TODO 3 of 2)", "number the TODOs 1 of n to n of n"),
        (" (TODO 1 of 2)", "", "a malformed mark"),
        ("    return x / 2\n    # END SOLUTION\n", "", "has no end mark"),
        ("    # BEGIN SOLUTION double (TODO 1", "    # (TODO 1", "without its begin"),
    ],
)
def test_wrong_marks_are_refused_with_file_and_reason(old: str, new: str, message: str):
    assert old in TWO_BLOCKS
    with pytest.raises(CourseError, match=rf"double\.py.*{message}"):
        make_skeleton(TWO_BLOCKS.replace(old, new), "double.py")


def tiny_course(root: Path) -> Path:
    """A course with one exercise, ``double``, and its solution."""
    (root / "solutions").mkdir()
    (root / "solutions/double.py").write_text(TWO_BLOCKS, encoding="utf-8")
    (root / "course.toml").write_text(
        'schema = 1\nname = "t"\ntitle = "T"\n'
        '[[chapters]]\nid = "c"\ntitle = "C"\n'
        '[[exercises]]\nname = "double"\nchapter = "c"\ntitle = "D"\nsection = "1"\n',
        encoding="utf-8",
    )
    return root / "exercises/double.py"


def test_check_names_a_stale_skeleton_and_writes_nothing(tmp_path: Path, capsys):
    target = tiny_course(tmp_path)
    assert main(["--course", str(tmp_path), "--check"]) == 1
    assert f"differs {target}" in capsys.readouterr().out
    assert not target.exists()


def test_writing_twice_gives_the_same_bytes_and_says_so(tmp_path: Path, capsys):
    target = tiny_course(tmp_path)
    assert main(["--course", str(tmp_path)]) == 0
    first = target.read_bytes()
    assert b"\r" not in first
    assert main(["--course", str(tmp_path)]) == 0
    assert target.read_bytes() == first
    words = "2 skeletons and notebooks, 2 were up to date\n"
    assert capsys.readouterr().out.endswith(words)
    assert main(["--course", str(tmp_path), "--check"]) == 0


def test_a_wrong_mark_ends_the_command_with_2_and_one_line(tmp_path: Path, capsys):
    tiny_course(tmp_path)
    (tmp_path / "solutions/double.py").write_text("x = 1\n", encoding="utf-8")
    assert main(["--course", str(tmp_path)]) == 2
    assert capsys.readouterr().err.startswith("grader: error: ")
