"""docs/semester.md, played from the first command to the last."""

import ast
import csv
import re
import shutil
import sqlite3
import zipfile
from pathlib import Path

import pytest
from play import blocks, run

from grader.gradebook import Gradebook

# What nobody may find in anonymous pages, or anywhere after a purge.
PEOPLE = ("Lovelace", "lovelaceada", "Kim Oh", "Lee Min", "Max Born", "Zoé", "uni.exam")
UPLOADS = ("downloads", "upload")


class Semester:
    """What the page's commands printed, and what lay there after each."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.root = root
        self.folder = folder
        self.out = folder / "out"
        self.printed: list[tuple[str, str]] = []
        self.scores: list[tuple[str, dict[str, str]]] = []
        self.kept: dict[str, bytes] = {}
        self.texts: list[tuple[str, str]] = []

    def play(self) -> None:
        said = ""
        for kind, text in blocks(self.root):
            if kind == "play":
                mended = self.folder / "mended" / "public_double.py"
                shutil.copy(mended, self.folder / "suites")
            if kind == "text" and not text.startswith("datasette"):
                self.texts.append((text, said))
            if kind != "sh":
                continue
            said = ""
            for line in text.splitlines():
                code, output = run(self.folder, line)
                assert code == 0, f"{line}\n{output}"
                said += output
                self.printed.append((line, output))
                self.look(line)

    def look(self, line: str) -> None:
        """Remember what later commands will have changed."""
        with Gradebook.open(self.out / "gradebook.sqlite") as book:
            now = {r.submission: f"{r.score}" for r in book.results()}
            self.scores.append((line, now))
        if "publish --reason" in line:
            self.kept["max"] = self.page("student", "max")
            self.kept["kim"] = self.page("ta", "kim")
            self.kept["results"] = (self.out / "results.jsonl").read_bytes()
        if "--anonymous" in line:
            pages = sorted((self.out / "anonymous").rglob("*.html"))
            self.kept["anonymous"] = b"".join(p.read_bytes() for p in pages)

    def page(self, kind: str, who: str) -> bytes:
        return (self.out / "reports" / kind / f"{who}.html").read_bytes()

    def after(self, words: str) -> dict[str, str]:
        """Scores after the last command that contains ``words``."""
        return next(s for line, s in reversed(self.scores) if words in line)

    def output(self, words: str) -> str:
        return next(o for line, o in reversed(self.printed) if words in line)

    def zip(self, name: str) -> dict[str, str]:
        with zipfile.ZipFile(self.folder / "upload" / name) as archive:
            return {n: archive.read(n).decode() for n in archive.namelist()}

    def sheet(self, name: str) -> list[dict[str, str]]:
        path = self.folder / "upload" / name
        with path.open(encoding="utf-8-sig", newline="") as file:
            return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def semester(root, class_folder) -> Semester:
    played = Semester(root, class_folder)
    played.play()
    return played


def test_page_shows_what_its_commands_print(semester):
    assert len(semester.texts) == 6
    for text, said in semester.texts:
        for line in text.splitlines():
            assert line in said.splitlines(), f"not printed: {line}\n{said}"


def test_two_systems_make_one_person_and_the_best_attempt_counts(semester):
    first, second = semester.after("canvas-times"), semester.after("moodle-times")
    assert set(first) == {"ada", "guest-199", "kim", "lee", "max", "zoe"} == set(second)
    assert (first["zoe"], second["zoe"]) == ("None", "90")
    # Max's second attempt has 140 points, but comes so late that half of them go.
    assert first["max"] == second["max"] == "100"


def test_every_correction_changes_the_scores_that_it_should(semester):
    assert semester.after("moodle-times")["kim"] == "64"
    assert semester.after("extend kim")["kim"] == "80"
    assert semester.after("void shout/mark")["max"] == "140"
    assert semester.after("--stored")["ada"] == "200"
    assert semester.after("--stored")["lee"] == "140"
    assert semester.after("adjust max double +5")["max"] == "145"
    assert semester.after("undo 8")["max"] == "140"
    assert semester.after("adjust max double +10")["max"] == "150"


def test_dry_runs_change_nothing(semester):
    dry = [i for i, (line, _) in enumerate(semester.scores) if "--dry-run" in line]
    assert len(dry) == 2
    for index in dry:
        assert semester.scores[index][1] == semester.scores[index - 1][1]
        assert "dry run: nothing was written." in semester.printed[index][1]


def test_report_tells_what_concerns_its_student_and_nobody_else(semester):
    page = semester.kept["max"].decode()
    assert "the task never asked for a mark" in page
    assert "Comment: What is twice a negative number?" in page
    assert "Set from 40 to 50 points by hand: right idea" in page
    assert not [name for name in PEOPLE if name in page and name != "Max Born"]
    assert "extended until 2026-03-30 12:00" in semester.kept["kim"].decode()


def test_rerun_gives_the_stored_verdict(semester):
    said = semester.output("rerun max")
    assert "the verdict is the one that is stored." in said
    assert "expected: -6" in said


def test_log_has_every_decision_with_its_reason(semester):
    said = semester.output("log max")
    for reason in ("course.toml", "class.csv", "slow machine", "never asked", "right"):
        assert reason in said
    assert "ill, certificate seen" not in said  # that is about somebody else


def test_feedback_has_the_names_that_canvas_and_moodle_look_for(semester):
    canvas = semester.zip("canvas-feedback.zip")
    assert sorted(canvas) == [
        "adalovelace_101_9002_feedback.html",
        "guest_199_9007_feedback.html",
        "kimoh_102_9003_feedback.html",
        "leemin_103_9004_feedback.html",
        "maxborn_104_9006_feedback.html",
    ]
    assert "left out: zoe" in semester.output("feedback canvas")
    moodle = semester.zip("moodle-feedback.zip")
    assert "Zoé Mair_15_assignsubmission_file_feedback.html" in moodle
    assert "Louder" in moodle["Zoé Mair_15_assignsubmission_file_feedback.html"]


def test_comments_for_repositories_have_points_and_reasons(semester):
    text = (semester.folder / "upload" / "comments" / "max.md").read_text("utf-8")
    assert "**150 of 200 points**" in text
    assert "### Twice as much: partly right, 50 of 100" in text
    assert "expected: -6" in text


def test_scores_are_filled_into_the_files_of_both_systems(semester):
    canvas = {row["ID"]: row["Week 1 (4711)"] for row in semester.sheet("canvas.csv")}
    assert {i: canvas[i] for i in ("101", "102", "104", "105")} == {
        "101": "200",
        "102": "140",
        "104": "150",
        "105": "90",
    }
    grades = {row["Full name"]: row["Grade"] for row in semester.sheet("moodle.csv")}
    assert grades == {"Max Born": "150", "Zoé Mair": "90"}


def test_what_changed_since_publication_is_listed(semester):
    assert "1 score changed from publication 12" in semester.output("diff published")


def test_anonymous_pages_and_files_name_nobody(semester):
    pages = semester.kept["anonymous"].decode()
    table = semester.output("grades --out out --anonymous")
    rows = semester.sheet("discussion.csv")
    text = pages + table + "".join(map(str, rows))
    assert not [name for name in (*PEOPLE, "born") if name.lower() in text.lower()]
    codes = {row["submission"] for row in rows}
    assert len(codes) == 6
    for code in codes:
        assert re.fullmatch(r"s-[0-9a-f]{8}", code)
        assert code in pages
        assert code in table


def test_purge_leaves_no_trace_of_anybody_but_anonymous_counts(semester):
    files = [p for p in semester.out.rglob("*") if p.is_file()]
    assert semester.out / "gradebook.sqlite" in files
    for path in files:
        data = path.read_bytes()
        for name in (*PEOPLE, "def double"):
            assert name.encode() not in data, f"{name} in {path}"
    assert semester.after("purge") == {}
    db = sqlite3.connect(semester.out / "gradebook.sqlite")
    counts = db.execute(
        "SELECT kind, name, people, of FROM statistics WHERE exercise = 'double'"
    ).fetchall()
    db.close()
    assert ("check", "two", 5, 5) in counts
    assert ("check", "minus", 4, 5) in counts


def is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def test_queries_of_the_page_run_on_the_views(semester):
    """Its columns too: they are what people may rely on."""
    page = dict(blocks(semester.root))
    texts = (n.value for n in ast.walk(ast.parse(page["python"])) if is_text(n))
    (sql,) = (text for text in texts if text.startswith("SELECT"))
    duckdb = page["sql"].split(";\n")[1].replace("book.", "")
    db = sqlite3.connect(semester.out / "gradebook.sqlite")
    assert db.execute(sql).description[0][0] == "exercise"
    assert db.execute(duckdb).description[1][0] == "mean"
    text = (semester.root / "docs" / "semester.md").read_text(encoding="utf-8")
    for view in ("grades", "exercises", "checks", "mistakes", "log"):
        row = re.search(rf"^\| `{view}` \|[^|]*\|(.*)\|$", text, re.M)[1]
        columns = [c[0] for c in db.execute(f"SELECT * FROM {view}").description]
        assert re.findall(r"`(\w+)`", row) == columns
    db.close()
