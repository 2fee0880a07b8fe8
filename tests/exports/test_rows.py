"""Whose row it is, and what is in it already: nothing goes to somebody else."""

from decimal import Decimal

import pytest
from gradings import check, exercise, result

from grader.errors import UsageError
from grader.exports import canvas, moodle
from grader.exports.match import same_name
from grader.exports.sheet import Sheet
from grader.gradebook import Person

HEADER = "Identifier,Full name,Email address,Status,Grade,Maximum Grade\n"
BLIND = "Identifier,Status,Grade,Maximum Grade\n"
ANN = Person("ann", "Ann Lee", ids={"moodle": "101"})
TEAM = Person("team", "Red Pandas", ids={"moodle": "102"})
PANDAS = Person("team", ids={"moodle": "7"}, mates=[ANN])
PEOPLE = {"ann": ANN, "team": TEAM}


@pytest.fixture
def fill(tmp_path, course):
    """(report, text) of a worksheet filled with full points for everybody."""

    def fill(text, people=PEOPLE, results=None):
        path = tmp_path / "worksheet.csv"
        path.write_text(text, encoding="utf-8")
        out = tmp_path / "filled.csv"
        found = [result(who) for who in people] if results is None else results
        report = moodle.export(found, course, out, people=people, worksheet=path)
        return report, out.read_text(encoding="utf-8")

    return fill


def row(number, name, grade="", email="x@uni.edu"):
    return f"Participant {number},{name},{email},Submitted,{grade},10.00\n"


# -- Moodle's numbers -------------------------------------------------------------


def test_number_of_another_assignment_gives_nobody_elses_score(fill):
    text = HEADER + row(101, "Zoe Zimmer") + row(555, "Ann Lee")
    report, filled = fill(text, {"ann": ANN})
    assert (report.written, filled) == (0, text)
    assert report.unmatched == [
        "ann: 10 for Ann Lee (participant 101 is Zoe Zimmer there; is this the "
        "assignment's worksheet?)"
    ]


def test_number_of_a_team_is_not_that_of_a_person(fill):
    report, filled = fill(HEADER + row(101, "Ann Lee") + row(102, "Bob Roy"))
    assert report.written == 1
    assert "Ann Lee,x@uni.edu,Submitted,10,10.00" in filled
    assert "Bob Roy,x@uni.edu,Submitted,,10.00" in filled
    assert report.unmatched[0].startswith("team: 10 for Red Pandas (participant 102 is")


def test_mates_of_a_team_are_found_by_their_own_numbers(fill):
    report, filled = fill(HEADER + row(101, "Ann Lee"), {"team": PANDAS})
    assert (report.written, report.unmatched) == (1, [])
    assert "Ann Lee,x@uni.edu,Submitted,10,10.00" in filled


@pytest.mark.parametrize("name", ["Lee, Ann", "LEE Ann", "Ann Mary Lee", "Ann Lée"])
def test_name_written_another_way_is_the_same_person(fill, name):
    quoted = f'"{name}"'
    bob = Person("bob", "Bob", ids={"moodle": "9"})
    text = HEADER + row(101, quoted) + row(9, "Bob")
    report, _ = fill(text, {"ann": ANN, "bob": bob})
    assert (report.written, report.unmatched) == (2, [])


def test_known_address_is_believed_before_a_name(fill):
    ann = Person("ann", "Ann Lee", "x@uni.edu", {"moodle": "101"})
    bob = Person("bob", "Bob", ids={"moodle": "9"})
    text = HEADER + row(101, "Annabel Miller") + row(9, "Bob", email="")
    report, _ = fill(text, {"ann": ann, "bob": bob})
    assert (report.written, report.unmatched) == (2, [])


def test_blind_marking_goes_by_number_alone(fill):
    blind = Person("p", "Participant 101", ids={"moodle": "101"})
    assert fill(BLIND + "Participant 101,Submitted,,10.00\n")[0].written == 1
    # Names are shown again: the hand-in is still nameless.
    people = {"p": blind, "b": Person("b", "Bob", ids={"moodle": "9"})}
    report, _ = fill(HEADER + row(101, "Ann Lee") + row(9, "Bob"), people)
    assert (report.written, report.unmatched) == (2, [])


def test_names_of_two_people_are_not_the_same():
    assert not same_name("Ann Lee", "Bob Roy")
    assert not same_name("Red Pandas", "Ann Lee")
    assert same_name("\u674e \u96f7", "\u674e\u96f7")


# -- what the file holds already -----------------------------------------------------


def test_grade_that_stands_for_somebody_without_a_score_is_told(fill):
    results = [result("ann", {}, status="grader_error", message="our fault")]
    report, filled = fill(HEADER + row(101, "Ann Lee", "7.50"), {"ann": ANN}, results)
    assert filled == HEADER + row(101, "Ann Lee", "7.50")
    assert report.notes == ["ann has no score; its cell keeps 7.50, from before."]
    assert "without a score: ann (grader_error: our fault)" in report.lines()


CANVAS = "Student;ID;SIS Login ID;Section;Week 1 (77)\n"


def test_canvas_file_with_comma_decimals_stays_one(tmp_path, course):
    path = tmp_path / "gradebook.csv"
    points = "    Points Possible;;;;10,00\n"
    text = CANVAS + points + "Lee, Ann;4017;ann;A;\nRoy, Bob;4018;bob;A;3,5\n"
    path.write_text(text, encoding="utf-8")
    people = {
        "ann": Person("ann", ids={"canvas": "4017"}),
        "bob": Person("bob", ids={"canvas": "4018"}),
    }
    half = result("ann", {"add": exercise(checks=[check(points="6.5")])})
    report = canvas.export(
        [half, result("bob", {}, status="unreadable", score=None)],
        course,
        path,
        people=people,
        gradebook=path,
        assignment="Week 1",
    )
    assert path.read_text(encoding="utf-8") == text.replace(
        "4017;ann;A;", "4017;ann;A;6,5"
    )
    assert "bob has no score; its cell keeps 3,5, from before." in report.notes
    assert half.score == Decimal("6.5")


def test_names_in_two_columns_of_a_canvas_file_are_one_name(tmp_path, course):
    path = tmp_path / "gradebook.csv"
    text = "LastName,FirstName,ID,SIS Login ID,Section,Week 1 (77)\n"
    text += "Smith,Ann,4017,as1,A,\nRoy,Bob,4018,br1,A,\n"
    path.write_text(text, encoding="utf-8")
    people = {"x": Person("x", "Ann Smith"), "y": Person("y", "Roy")}
    report = canvas.export(
        [result("x"), result("y")],
        course,
        path,
        people=people,
        gradebook=path,
        assignment="77",
    )
    assert path.read_text(encoding="utf-8") == text.replace("as1,A,", "as1,A,10")
    assert report.unmatched == ["y: 10 for Roy (no such row)"]


@pytest.mark.parametrize("begin", [b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1"])
def test_workbook_is_no_csv_and_the_sentence_says_what_to_do(tmp_path, begin):
    path = tmp_path / "grades.csv"
    path.write_bytes(begin + b"\0" * 50)
    with pytest.raises(UsageError, match="is a workbook or an archive; save it"):
        Sheet(path)
