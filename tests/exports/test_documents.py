"""Exports that make a document of their own: csv, json, gradescope, junit."""

import csv
import json
import xml.etree.ElementTree as ElementTree
from decimal import Decimal

import msgspec
import pytest
from gradings import SECRET, check, exercise, result

import grader.exports.csv
import grader.exports.json
from grader.errors import EnvironmentFault, UsageError
from grader.exports import gradescope, junit
from grader.gradebook import Person
from grader.results import Outcome

BROKEN = result("zz", {}, status="grader_error", message="our fault")


def read_csv(path):
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_csv_has_a_row_for_each_submission(tmp_path, course, people):
    out = tmp_path / "grades.csv"
    late = {"submitted_at": "2026-05-03T09:00:00+00:00", "days": 2}
    people["s2"] = msgspec.structs.replace(people["s2"], section="Tue")
    half = result("s2", {"add": exercise(checks=[check(points="2.50")])}, late=late)
    report = grader.exports.csv.export(
        [result("s1"), half, BROKEN], course, out, people=people
    )
    first, second, broken = read_csv(out)
    assert first["name"] == "Smith, Ann-Lee"
    assert (first["score"], first["add"], first["mul"]) == ("10", "10", "")
    assert (second["score"], second["name"]) == ("2.5", "王小明")
    assert second["submitted_at"] == "2026-05-03T09:00:00+00:00"
    assert (second["days_late"], second["section"]) == ("2", "Tue")
    assert (broken["status"], broken["score"]) == ("grader_error", "")
    assert report.written == 2
    assert report.empty == ["zz (grader_error: our fault)"]


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t=", "\r", "＝", " ="])
def test_csv_cell_never_starts_a_formula(tmp_path, course, start):
    out = tmp_path / "grades.csv"
    name = f'{start}HYPERLINK("http://x")'
    people = {"=s1": Person("=s1", name, f"{start}a@b")}
    grader.exports.csv.export([result("=s1")], course, out, people=people)
    (row,) = read_csv(out)
    seen = name.replace("\t", "\u2409").replace("\r", "\u240d")
    assert row["name"] == ("'" + name if seen == name else seen)
    assert row["submission"] == "'=s1"
    assert not row["email"].startswith(start)


def test_csv_survives_lone_surrogates(tmp_path, course):
    out = tmp_path / "grades.csv"
    people = {"s1": Person("s1", "a\udc80b")}
    grader.exports.csv.export([result("s1")], course, out, people=people)
    assert read_csv(out)[0]["name"] == "a<U+DC80>b"


def test_csv_and_its_report_show_marks_that_turn_the_reading_direction(
    tmp_path, course
):
    out = tmp_path / "grades.csv"
    people = {"s1": Person("s1", "b\u202eob", "b\u2066@x")}
    found = result("s1", {}, status="grader_error", message="b\u202eob\x1b[2J")
    report = grader.exports.csv.export([found], course, out, people=people)
    (row,) = read_csv(out)
    assert (row["name"], row["email"]) == ("b<U+202E>ob", "b<U+2066>@x")
    assert "b<U+202E>ob" in report.lines()[1]
    assert "\x1b" not in report.lines()[1]


def test_json_holds_everything_in_one_document(tmp_path, course, people):
    out = tmp_path / "grades.json"
    report = grader.exports.json.export(
        [result("s1"), BROKEN], course, out, people=people
    )
    document = json.loads(out.read_text())
    assert document["course"] == {"name": "tiny", "version": course.version}
    assert document["people"]["s1"]["ids"]["canvas"] == "101"
    assert [r["score"] for r in document["results"]] == ["10", None]
    assert report.written == 1


def test_json_of_nobody_is_a_document_too(tmp_path, course):
    out = tmp_path / "grades.json"
    grader.exports.json.export([], course, out)
    assert json.loads(out.read_text())["results"] == []


def test_export_into_a_folder_that_is_not_there_is_refused(tmp_path, course):
    with pytest.raises(EnvironmentFault, match=r"x\.json cannot be written"):
        grader.exports.json.export([], course, tmp_path / "no" / "x.json")


def test_gradescope_shows_public_checks_and_keeps_hidden_ones_back(course, failing):
    content = gradescope.results_json(failing, course)
    public, hidden = content["tests"]
    assert (public["visibility"], hidden["visibility"]) == (
        "visible",
        "after_published",
    )
    assert public["status"] == "failed"
    assert "expected: 1\ngot: 2" in public["output"]
    assert (public["score"], public["max_score"]) == (0.0, 6.0)
    assert content["score"] == 0.0
    assert SECRET not in json.dumps(content)
    assert "the seed" not in json.dumps(content)
    allowed = {
        "score", "execution_time", "output", "output_format", "test_output_format",
        "test_name_format", "stdout_visibility", "tests",
    }  # fmt: skip
    assert set(content) <= allowed
    keys = {"name", "number", "score", "max_score", "status", "output", "visibility"}
    assert set(public) == keys


def test_gradescope_score_at_the_top_is_ours_not_the_sum(course):
    deducted = result("s1", score=Decimal("7.255"))
    assert gradescope.results_json(deducted, course)["score"] == 7.26


def test_gradescope_grader_error_writes_no_file(tmp_path, course):
    report = gradescope.export([BROKEN], course, tmp_path / "results.json")
    assert not report.path.exists()
    assert report.empty == ["zz (grader_error: our fault)"]


def test_gradescope_file_names_stay_in_their_folder_and_differ(tmp_path, course):
    names = ["../../x", "..", "A", "a", "a/b", "a\\b", "王"]
    out = tmp_path / "gs"
    report = gradescope.export([result(n) for n in names], course, out)
    assert report.written == 7
    assert len(list(out.glob("*.json"))) == 7
    assert not list(tmp_path.glob("*.json"))


def test_gradescope_wants_a_folder_for_many_and_a_known_visibility(tmp_path, course):
    two = [result("s1"), result("s2")]
    with pytest.raises(UsageError, match="name a folder for many"):
        gradescope.export(two, course, tmp_path / "results.json")
    assert not (tmp_path / "results.json").exists()
    with pytest.raises(UsageError, match=r"hidden is one of .*not 'secret'"):
        gradescope.export(two, course, tmp_path, hidden="secret")


def test_gradescope_folder_keeps_nothing_of_an_earlier_export(tmp_path, course):
    out = tmp_path / "gs"
    gradescope.export([result("s1"), result("s2")], course, out)
    gradescope.export([result("s2"), BROKEN], course, out)
    assert [p.name for p in out.glob("*.json")] == ["s2.json"]


def read_junit(tmp_path, course, results):
    out = tmp_path / "junit.xml"
    junit.export(results, course, out)
    return ElementTree.parse(out).getroot()


def test_junit_counts_and_shows_what_the_student_may_see(tmp_path, course, failing):
    root = read_junit(tmp_path, course, [failing, BROKEN])
    suite, broken = root
    assert suite.attrib == {
        "name": "s1.add", "tests": "2", "failures": "2", "errors": "0", "skipped": "0",
    }  # fmt: skip
    first, second = suite.iter("failure")
    assert first.attrib["message"] == "Property adds holds. (failed, 0/6)"
    assert "expected: 1" in first.text
    assert SECRET not in ElementTree.tostring(root, encoding="unicode")
    assert broken.attrib["errors"] == "1"
    assert second.text is None or "expected" not in second.text


@pytest.mark.parametrize(
    ("outcome", "element"),
    [
        (Outcome.FAILED, "failure"),
        (Outcome.NOT_WRITTEN, "failure"),
        (Outcome.NOT_RUN, "skipped"),
        (Outcome.ERROR, "error"),
        (Outcome.TIMEOUT, "error"),
        (Outcome.CRASHED, "error"),
    ],
)
def test_junit_element_follows_the_outcome(tmp_path, course, outcome, element):
    one = result("s1", {"add": exercise(checks=[check(outcome=outcome)])})
    (case,) = read_junit(tmp_path, course, [one]).iter("testcase")
    assert [child.tag for child in case] == [element]


def test_junit_replaces_characters_that_xml_cannot_hold(tmp_path, course):
    evil = "a\x00\x1b[31m\ud800\ufffe]]>&<\"'\n"
    one = result("s\x01\"'", {"add": exercise(checks=[
        check(outcome=Outcome.FAILED, message=evil, title=evil)
    ])})  # fmt: skip
    root = read_junit(tmp_path, course, [one])
    assert root[0].attrib["name"].endswith("\"'.add")
    assert "&<" in next(root.iter("failure")).text


@pytest.mark.parametrize("char", ["\x00", "\x0b", "\x1f", "\ud800", "\ufffe", "\uffff"])
def test_character_outside_xml_is_marked(char):
    assert junit.valid(f"a{char}b") == "a\ufffdb"


def test_characters_of_xml_stay():
    text = "a\t\n\r é王😀"
    assert junit.valid(text) == text
