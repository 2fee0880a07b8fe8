"""``--json``: which commands have it, what they print, and that docs name them."""

import json
import re
import shutil

import pytest
import typer
from gradings import check, exercise, result, submission, tiny_course

from grader.cli import app, main
from grader.gradebook import Gradebook

FOR_A_SCREEN = {"watch"}  # a program runs check instead


def commands(group, before=""):
    """Every command with its options: words on the command line -> names."""
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, f"{before}{name} ")
        else:
            yield before + name, {o for p in command.params for o in p.opts}


COMMANDS = dict(commands(typer.main.get_command(app)))


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A tiny course with a gradebook of one submission."""
    made = tmp_path_factory.mktemp("made")
    tiny_course(made, ("add",))
    (made / "out").mkdir()
    with Gradebook.open(made / "out" / "gradebook.sqlite") as book:
        found = result("ada", {"add": exercise("k", [check("one", "6")])})
        book.record(book.begin_run(), found, submission("ada"))
    return made


@pytest.fixture
def told(made, tmp_path, monkeypatch, capfdbinary):
    """Runs a line in a copy of that course; what stdout carries, decoded."""
    folder = shutil.copytree(made, tmp_path / "课程")
    monkeypatch.chdir(folder)

    def run(line):
        monkeypatch.setattr("sys.argv", ["grader", *line.split(), "--json"])
        code = main()
        out, err = capfdbinary.readouterr()
        assert code == 0, err.decode()
        return json.loads(out)

    return run


def test_every_command_has_it_but_the_one_for_a_screen():
    without = {name for name, options in COMMANDS.items() if "--json" not in options}
    assert without == FOR_A_SCREEN


def test_docs_say_of_each_what_it_prints(root):
    page = (root / "docs" / "formats.md").read_text(encoding="utf-8")
    table = page.split("## For programs")[1]
    first = re.findall(r"^\| (`.*?) \|", table, re.M)
    named = {name for cell in first for name in re.findall(r"`(.+?)`", cell)}
    assert named == set(COMMANDS) - FOR_A_SCREEN


def test_new_course_and_exercise(told):
    assert told("new course fresh --libraries numpy") == {
        "path": "fresh",
        "version": "1.1",
        "exercises": ["running_mean"],
    }
    made = told("new exercise second --course fresh")
    assert made["exercise"] == "second"
    assert "solutions/second.py" in made["files"]


def test_next_year(told):
    told("new course fresh --libraries numpy")
    assert told("new course next --from fresh")["exercises"] == ["running_mean"]


def test_release_gradescope(told):
    told("new course fresh --libraries numpy")
    made = told("release gradescope --course fresh --out dist")
    assert made["path"].startswith("dist/")
    assert made["version"] == "1.1"
    assert made["bytes"] > 10_000


def test_report(told):
    assert told("report out --dry-run") == {"page": "out/index.html", "dry_run": True}
    assert told("report out")["page"] == "out/index.html"
    assert told("report out --anonymous")["page"] == "out/anonymous/index.html"


def test_report_of_one_submission(told):
    one = told("report out --only ada")
    assert one["submission"] == "ada"
    assert one["score"] == "6"


def test_publish(told):
    first = told("publish --reason x")
    assert first["path"] == f"out/published/{first['publication']}"
    assert (first["submissions"], first["changes"]) == (1, [])
    told("adjust ada add 2 --reason y")
    again = told("publish --reason z --dry-run")
    assert again["dry_run"]
    assert [c["submission"] for c in again["changes"]] == ["ada"]


def test_purge(told):
    nobody = told("purge --before 2020-01-01 --reason x")
    assert (nobody["decision"], nobody["removed"]) == (None, [])
    dry = told("purge --before 2999-01-01 --reason x --dry-run")
    assert (dry["removed"], dry["files"], dry["dry_run"]) == (["ada"], 0, True)
    assert told("purge --before 2999-01-01 --reason x")["removed"] == ["ada"]


def test_feedback(told):
    dry = told("feedback --dry-run")
    assert dry == {"path": "out/feedback", "editions": 1, "dry_run": True}
    assert told("feedback") == {
        "path": "out/feedback",
        "written": 1,
        "left_out": [],
    }


def test_export_names_its_file(told):
    made = told("export csv out")
    assert (made["path"], made["written"]) == ("out/grades.csv", 1)


@pytest.mark.parametrize("line", ["grades", "log", "diff 1"])
def test_views_are_lists(told, line):
    assert isinstance(told(line), list)


def test_dry_run_of_grade(told, tmp_path):
    (tmp_path / "ins" / "lee").mkdir(parents=True)
    (tmp_path / "ins" / "lee" / "add.py").write_text("x = 1\n")
    dry = told(f"grade {tmp_path / 'ins'} --out out --dry-run")
    assert dry == {"out": "out", "submissions": {"new": 1}, "dry_run": True}
