"""The deciding commands: what they refuse and in which words, and their exit codes."""

import json
import shutil

import pytest
from gradings import check, exercise, result, submission, tiny_course
from play import run

from grader.commands.rerun import differences
from grader.gradebook import Gradebook
from grader.results import Outcome

DATES = """
[dates]
zone = "Europe/Berlin"
rate = 10

[[assignments]]
name = "week1"
deadline = "2026-05-04 12:00"
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A course, and a gradebook with Ada (late), Lee, and an unreadable hand-in."""
    made = tmp_path_factory.mktemp("made")
    tiny_course(made, ("add",))
    path = made / "course.toml"
    path.write_text(path.read_text() + DATES)
    (made / "out").mkdir()
    with Gradebook.open(made / "out" / "gradebook.sqlite") as book:
        at = "2026-05-05T13:00:00"
        for who, name in (("ada", "Ada Lovelace"), ("lee", "Lee Min")):
            checks = [check("one", "6"), check("two", "4", Outcome.FAILED)]
            late = {"submitted_at": at}
            found = result(who, {"add": exercise("k", checks)}, late=late)
            book.record(book.begin_run(), found, submission(who, name=name))
        broken = result("zip", {}, "unreadable", message="no zip")
        book.record(book.begin_run(), broken, submission("zip", error="no zip"))
    code, said = run(made, "python -m grader report out")
    assert (code, "assignment week1: due 2026-05-04 12:00" in said) == (0, True), said
    return made


@pytest.fixture
def folder(made, tmp_path):
    """A copy that a test may change."""
    return shutil.copytree(made, tmp_path / "course")


def say(folder, line):
    return run(folder, f"python -m grader {line}")


def log(folder):
    with Gradebook.open(folder / "out" / "gradebook.sqlite") as book:
        return book.log()


REFUSED = {
    "extend ada --days 2": "a reason is missing: --reason says why",
    "extend ada --reason x": "say one of --until, --days, --excuse and --time-factor",
    "extend ada --days 1 --excuse --reason x": "say one of --until, --days",
    "extend aad --days 2 --reason x": "has no submission 'aad'; did you mean: ada?",
    'extend ada --until "2026-05-01 10:00" --reason x': "is before the deadline 2026",
    "extend ada --until tomorrow --reason x": "is no date with a time of day",
    "extend ada --days -1 --reason x": "--days counts from 1",
    "extend ada --time-factor 99 --reason x": "--time-factor is from 1 to 20",
    "extend ada --time-factor fast --reason x": "'fast' is no number",
    "void three --reason x": "nothing graded so far has a check 'three'",
    "adjust ada add 11 --reason x": "would have 11 points in add; they go from 0 to 10",
    "adjust ada add -7 --reason x": "would have -1 points in add",
    "adjust ada add lots --reason x": "'lots' is no number of points",
    "adjust ada add nan --reason x": "'nan' is no number of points",
    "adjust ada ad 5 --reason x": "ada has no exercise 'ad'; did you mean: add?",
    "adjust zip add 5 --reason x": "zip has no graded hand-in (it is unreadable)",
    'comment ada add " "': "a comment has 1 to 2000 characters",
    'comment ada add "better than Lee Min"': "names Lee Min, who is somebody else",
    "alias ada add plus --reason x": "is no alias; write NAME_ASKED_FOR=NAME_IN_THE",
    "alias ada add sum=plus --reason x": "add does not ask for 'sum'",
    "undo 77 --reason x": "there is no decision 77; grader log lists",
    "undo 1": "a reason is missing",
    "purge --before soon --reason x": "'soon' is no day; write it like 2027-04-01",
    "feedback paper": "unknown format 'paper'; use folder, moodle, canvas, markdown",
    "feedback --section Z": "nobody is in section 'Z'; sections: none, for want of a",
    "grades --sort shoe": "--sort is one of id, name, score, late",
    "diff 9": "there is no run '9'; name a run (1 to 3), published, or now",
    "diff published": "nothing has been published yet; grader publish does it",
    "grades --out nowhere": "nowhere/gradebook.sqlite does not exist; run grade --out",
    "export canvas out --anonymous": "canvas finds people by who they are",
    "grade --out out": "name a folder with hand-ins, or grade again with --stored",
    "grade x --stored --out out": "--stored takes the gradebook's files; name no fold",
    "grade --out out --stored --assignment week2": "unknown assignment 'week2'",
}


@pytest.mark.parametrize("line", REFUSED)
def test_command_that_cannot_be_carried_out_says_what_would_be_right(folder, line):
    before = log(folder)
    code, said = say(folder, line)
    assert code == 2, said
    last = said.strip().splitlines()[-1]
    assert last.startswith("grader: error: ")
    assert REFUSED[line] in last
    assert log(folder) == before


CHANGES = [
    'extend ada --until "2026-05-06 12:00" --reason x',
    "extend ada --excuse --reason x",
    "extend ada --time-factor 1.5 --reason x",
    "void add/two --drop --reason x",
    "adjust ada add -2 --reason x",
    'comment ada add "Look again."',
    "alias ada add add=plus --reason x",
    "undo 1 --reason x",
    "publish --reason x",
    "feedback",
    "export csv out",
    "report out",
    "purge --before 2999-01-01 --reason x",
]


def everything(folder):
    """Every file but the gradebook with its bytes; of that one what it tells."""
    files = {
        p: p.read_bytes()
        for p in (folder / "out").rglob("*")
        if p.is_file() and "sqlite" not in p.name and p.name != ".writing"
    }
    with Gradebook.open(folder / "out" / "gradebook.sqlite") as book:
        return files, list(book.lines()), book.log(), book.published()


@pytest.mark.parametrize("line", CHANGES)
def test_dry_run_shows_it_and_changes_nothing(folder, line):
    before = everything(folder)
    code, said = say(folder, f"{line} --dry-run")
    assert code == 0, said
    assert "dry run: nothing was written." in said
    assert everything(folder) == before
    code, said = say(folder, line)
    assert code == 0, said
    if line != "report out":  # the pages are those that are there already
        assert everything(folder) != before


def test_decision_lists_what_it_changes_and_writes_the_pages(folder):
    code, said = say(folder, "adjust ada add -1 --reason 'the first row'")
    assert (code, said.splitlines()) == (
        0,
        [
            "decision 2: adjust ada add -1: the first row",
            "ada: 4.8 of 10 -> 4 of 10",
            "  add: 6 of 10 -> 5 of 10",
        ],
    )
    page = (folder / "out" / "reports" / "student" / "ada.html").read_text()
    assert "Set from 6 to 5 points by hand: the first row" in page
    line = json.loads((folder / "out" / "results.jsonl").read_text().splitlines()[0])
    assert (line["score"], line["raw_score"]) == ("4", "5")


def test_json_of_a_decision_is_one_document(folder):
    code, said = say(folder, "adjust ada add 9 --reason x --json")
    assert code == 0
    told = json.loads(next(t for t in said.splitlines() if t.startswith("{")))
    assert told["changes"][0]["new"] == "7.2 of 10"


def test_changed_date_of_the_course_counts_from_the_next_report_on(folder):
    path = folder / "course.toml"
    path.write_text(path.read_text().replace("rate = 10", "rate = 50"))
    assert "4.8" in say(folder, "grades")[1]
    said = say(folder, "report out")[1]
    assert "50 % of the points off for each started day" in said
    assert "0" in say(folder, "grades --search ada")[1].splitlines()[1].split()
    assert [d.kind for d in log(folder)] == ["dates", "dates"]


def test_gradebook_is_of_one_assignment(folder):
    path = folder / "course.toml"
    path.write_text(path.read_text() + '\n[[assignments]]\nname = "week2"\n')
    (folder / "hand-ins" / "ada").mkdir(parents=True)
    (folder / "hand-ins" / "ada" / "add.py").write_text("x = 1\n")
    code, said = say(folder, "grade hand-ins --out out --assignment week2")
    assert code == 2
    assert "is of assignment 'week1'; give 'week2' a folder of its own" in said


def test_log_shows_what_was_taken_back(folder):
    say(folder, "adjust ada add 9 --reason first")
    say(folder, "undo 2 --reason 'wrong student'")
    lines = say(folder, "log ada")[1].splitlines()
    assert lines[1].endswith("adjust ada add to 9: first [taken back]")
    assert lines[2].endswith("undo ada 2: wrong student")


def test_publication_whose_pages_cannot_be_written_did_not_happen(folder):
    (folder / "out" / "published").write_text("in the way")
    code, said = say(folder, "publish --reason 'week 1'")
    assert code == 3
    assert "cannot be written" in said
    assert [d.kind for d in log(folder)] == ["dates"]


def test_grades_are_filtered_sorted_and_given_as_json(folder):
    rows = json.loads(say(folder, "grades --json --sort score")[1])
    assert [r["submission"] for r in rows] == ["ada", "lee", "zip"]
    assert rows[0]["score"] == "4.8"
    assert rows[0]["days_late"] == 2
    for option, found in {
        "--status unreadable": ["zip"],
        "--below 50": ["ada", "lee", "zip"],
        "--search LOVE": ["ada"],
        "--late": ["ada", "lee"],
    }.items():
        rows = json.loads(say(folder, f"grades --json {option}")[1])
        assert [r["submission"] for r in rows] == found, option


def test_dry_run_of_grade_counts_who_is_new_and_makes_no_folder(folder):
    for who in ("ada", "max"):
        (folder / "hand-ins" / who).mkdir(parents=True)
        (folder / "hand-ins" / who / "add.py").write_text("x = 1\n")
    before = everything(folder)
    said = say(folder, "grade hand-ins --out out --dry-run")[1]
    assert "would grade into out: 1 known already, 1 new." in said
    assert everything(folder) == before
    said = say(folder, "grade hand-ins --out other --dry-run")[1]
    assert "would grade into other: 2 new." in said
    assert not (folder / "other").exists()


def test_rerun_that_comes_out_differently_says_where():
    before = exercise("k", [check("one"), check("two"), check("gone")])
    now = exercise("k", [check("one"), check("two", outcome=Outcome.FAILED)])
    now.checks.append(check("added"))
    assert list(differences(before, now)) == [
        "two was passed and is now failed.",
        "added was not there when it was graded: it is passed.",
        "gone was passed and is there no more.",
    ]


def test_pages_stay_in_the_language_that_the_class_reads(folder):
    assert say(folder, "report out --lang zh")[0] == 0
    say(folder, "adjust ada add -1 --reason 'the first row'")
    say(folder, "feedback --to back")
    page = folder / "out" / "reports" / "student" / "ada.html"
    for path in (page, folder / "back" / "ada.html"):
        text = path.read_text("utf-8")
        assert '<html lang="zh">' in text
        assert "Set from 6" not in text
        assert "the first row" in text
    say(folder, "feedback --to english --lang en")
    assert "Set from 6 to 5" in (folder / "english" / "ada.html").read_text("utf-8")
