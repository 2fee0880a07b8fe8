from decimal import Decimal

import pytest
from gradings import check, exercise, result

from grader.errors import UsageError
from grader.exports import canvas
from grader.gradebook import TA_ONLY, Person

HEADER = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Homework 1 (901),Homework 2 (902),"
    "Final Score\n"
)
POSTING = ",,,,,Manual Posting,,\n"
POSSIBLE = "    Points Possible,,,,,10,20,(read only)\n"


@pytest.fixture
def exported(tmp_path):
    def write(*students, header=HEADER, possible=POSSIBLE):
        path = tmp_path / "canvas.csv"
        path.write_text(header + POSTING + possible + "".join(students), newline="")
        return path

    return write


def filled(path, results, course, people, **options):
    out = path.with_name("filled.csv")
    options.setdefault("assignment", "901")
    report = canvas.export(
        results, course, out, people=people, gradebook=path, **options
    )
    return report, out.read_text()


ANN = '"Smith, Ann-Lee",101,S1001,ann01,A,,7,70\n'
WANG = "王小明,102,S1002,wang@uni.edu,B,,,\n"


def test_scores_go_into_the_one_column_and_all_else_stays(exported, course, people):
    path = exported(ANN, WANG)
    report, text = filled(path, [result("s1"), result("s2")], course, people)
    assert text == (
        HEADER
        + POSTING
        + POSSIBLE
        + '"Smith, Ann-Lee",101,S1001,ann01,A,10,7,70\n'
        + "王小明,102,S1002,wang@uni.edu,B,10,,\n"
    )
    assert report.written == 2
    assert report.unmatched == report.empty == report.notes == []


@pytest.mark.parametrize("assignment", ["901", "Homework 1", "Homework 1 (901)"])
def test_assignment_is_found_by_number_title_or_header(
    exported, course, people, assignment
):
    report, _ = filled(
        exported(ANN), [result("s1")], course, people, assignment=assignment
    )
    assert report.written == 1


@pytest.mark.parametrize(
    ("header", "assignment", "message"),
    [
        (
            HEADER,
            "Homework",
            "no assignment 'Homework'; its assignments are: Homework 1",
        ),
        (HEADER, "Final Score", "no assignment 'Final Score'"),
        (
            "Student,ID,Section,HW (1),HW (2)\n",
            "HW",
            r"2 columns for assignment 'HW'; its assignments are: HW \(1\); HW \(2\)",
        ),
        ("Name,Grade\n", "HW", "is not a gradebook of Canvas"),
    ],
)
def test_column_is_never_invented(exported, course, header, assignment, message):
    path = exported(header=header)
    with pytest.raises(UsageError, match=message):
        filled(path, [], course, {}, assignment=assignment)
    assert not path.with_name("filled.csv").exists()


@pytest.mark.parametrize(
    "who",
    [
        Person("x", ids={"canvas": "101"}, name="Somebody Else"),
        Person("x", ids={"sid": "s1001"}),
        Person("S1001"),
        Person("x", ids={"login": "ann01"}),
        Person("x", email="ANN01"),
        Person("x", name="Smith, Ann-Lee"),
        Person("x", name="Ann-Lee Smith"),
        Person("x", name="smithannlee"),
    ],
)
def test_row_is_found_by_id_then_sis_id_then_login_then_name(exported, course, who):
    other = '"Other, One",109,S1009,one09,A,,,\n'
    report, text = filled(exported(other, ANN), [result("x")], course, {"x": who})
    assert report.written == 1
    assert "ann01,A,10," in text


def test_surer_key_wins_over_a_namesake(exported, course):
    namesake = '"Smith, Ann-Lee",109,S1009,ann09,A,,,\n'
    who = Person("x", name="Smith, Ann-Lee", ids={"sid": "S1009"})
    _, text = filled(exported(ANN, namesake), [result("x")], course, {"x": who})
    assert "ann09,A,10," in text
    assert "ann01,A,,7" in text


@pytest.mark.parametrize(
    ("who", "why"),
    [
        (Person("x", name="Nobody"), "x: 10 for Nobody (no such row)"),
        (Person("x", name="Smith, Ann-Lee", ids={"canvas": "999"}), "(no such row)"),
        (
            Person("x", name="Lee, Kim"),
            "x: 10 for Lee, Kim (2 rows have the same name)",
        ),
    ],
)
def test_score_without_a_row_is_listed_and_no_guess_is_made(exported, course, who, why):
    twins = ['"Lee, Kim",103,,kim1,A,,,\n', '"Lee, Kim",104,,kim2,A,,,\n']
    path = exported(ANN, *twins)
    report, text = filled(path, [result("x")], course, {"x": who})
    assert text == path.read_text()
    assert report.written == 0
    assert why in report.unmatched[0]
    assert f"not in the file: {report.unmatched[0]}" in report.lines()


def test_two_scores_for_one_row_fill_nothing(exported, course):
    people = {n: Person(n, name="Smith, Ann-Lee") for n in ("x", "y")}
    path = exported(ANN)
    report, text = filled(path, [result("x"), result("y")], course, people)
    assert text == path.read_text()
    assert len(report.unmatched) == 2
    assert "(one row for x, y)" in report.unmatched[0]


def test_group_shares_its_score(exported, course):
    who = Person("g", name="Group 3", group=["Smith, Ann-Lee", "wang@uni.edu"])
    report, text = filled(exported(ANN, WANG), [result("g")], course, {"g": who})
    assert report.written == 2
    assert report.unmatched == ["g: 10 for Group 3 (no such row)"]
    assert "ann01,A,10," in text


def test_grader_error_leaves_its_cell_empty_and_is_listed(exported, course, people):
    broken = result("s1", {}, status="grader_error", message="no session")
    path = exported(ANN)
    report, text = filled(path, [broken], course, people)
    assert text == path.read_text()
    assert report.empty == ["s1 (grader_error: no session)"]


def test_score_that_outlived_a_grader_error_is_noted(exported, course, people):
    warning = f"{TA_ONLY}run 4 ended in a grader error; the earlier score is kept."
    report, _ = filled(
        exported(ANN), [result("s1", warnings=[warning])], course, people
    )
    assert report.written == 1
    assert report.notes == [f"s1: {warning}"]


def test_excused_student_stays_excused(exported, course, people):
    path = exported(ANN.replace("A,,7", "A,EX,7"))
    report, text = filled(path, [result("s1")], course, people)
    assert text == path.read_text()
    assert "(excused in Canvas)" in report.unmatched[0]


def test_other_maximum_is_noted_and_rescaled_only_on_request(exported, course, people):
    score = result(
        "s1", {"add": exercise(checks=[check(points="7")])}, max_score=Decimal(9)
    )
    report, text = filled(exported(ANN), [score], course, people)
    assert "ann01,A,7,7" in text
    assert report.notes == [
        "scores are of 9 points, the column is of 10; --rescale turns them into those."
    ]
    report, text = filled(exported(ANN), [score], course, people, rescale=True)
    assert "ann01,A,7.78,7" in text
    assert report.notes == []


def test_failed_export_leaves_the_old_file(exported, course, people):
    path = exported(ANN)
    before = path.read_bytes()

    def results():
        yield result("s1")
        raise KeyboardInterrupt("stop")

    with pytest.raises(KeyboardInterrupt, match="stop"):
        canvas.export(
            results(), course, path, people=people, gradebook=path, assignment="901"
        )
    assert path.read_bytes() == before
    assert [p.name for p in path.parent.iterdir() if p.suffix == ".csv"] == [path.name]
