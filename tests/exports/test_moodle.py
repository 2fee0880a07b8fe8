from decimal import Decimal

import pytest
from gradings import SECRET, check, exercise, result

from grader.errors import UsageError
from grader.exports import moodle
from grader.gradebook import Person

ENGLISH = (
    '"Identifier","Full name","Email address",Status,Grade,"Maximum Grade",'
    '"Grade can be changed","Last modified (submission)","Last modified (grade)",'
    '"Feedback comments"\r\n'
)
ROW = (
    '"Participant 7001","Ann-Lee Smith",ann@uni.edu,"Submitted for grading",,100.00,'
    'Yes,"Friday, 3 May 2026, 9:00 AM",-,""\r\n'
)
GERMAN = (
    '\ufeffID;"Vollständiger Name";E-Mail-Adresse;Status;Punkte;Bestnote;'
    '"Bewertung kann geändert werden";Rückmeldung\r\n'
)
GERMAN_ROW = "Teilnehmer/in 7001;Ann-Lee Smith;ann@uni.edu;Abgegeben;;100,00;Ja;\r\n"


@pytest.fixture
def fill(tmp_path, course, people):
    def run(text, results, people=people, **options):
        path = tmp_path / "worksheet.csv"
        path.write_bytes(text.encode())
        out = tmp_path / "filled.csv"
        report = moodle.export(
            results, course, out, people=people, worksheet=path, **options
        )
        return report, out.read_bytes().decode()

    return run


def test_grade_and_comment_are_filled_in_place(fill):
    report, text = fill(ENGLISH + ROW, [result("s1")])
    assert text == ENGLISH + ROW.replace(",,100.00", ",10,100.00").replace(
        '-,""', '-,"<p>10 / 10</p><p><b>add</b>: 10 / 10</p>"'
    )
    assert report.written == 1


def test_worksheet_in_another_language_is_understood(fill):
    half = result("s1", {"add": exercise(checks=[check(points="6.5")])})
    report, text = fill(GERMAN + GERMAN_ROW, [half])
    assert text.startswith(GERMAN)
    assert ";6,5;100,00;Ja;<p>6.5 / 10</p>" in text
    assert text.endswith("\r\n")
    assert report.notes[0] == 'taken for the grade: column "Punkte".'
    assert report.notes[1] == 'taken for the comments: column "Rückmeldung".'


def test_columns_can_be_named(fill):
    text = "Nummer,Wer,Punktzahl,Wort\r\nTeilnehmer 7001,Ann,,\r\n"
    report, filled = fill(
        text, [result("s1")], grade_column="Punktzahl", comments_column="wort"
    )
    assert "Ann,10,<p>10 / 10</p>" in filled
    assert report.written == 1


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("Name,Points\nAnn,\n", {}, "not a grading worksheet of Moodle"),
        (
            "Nr,Wer,X\nTeilnehmer 1,Ann,\n",
            {},
            "which column holds the grade.*Nr, Wer, X",
        ),
        (ENGLISH + ROW, {"grade_column": "Points"}, "has no column 'Points'"),
    ],
)
def test_worksheet_that_is_not_understood_is_refused(fill, text, options, message):
    with pytest.raises(UsageError, match=message):
        fill(text, [result("s1")], **options)


@pytest.mark.parametrize(
    "who",
    [
        Person("x", ids={"moodle": "7001"}, name="Wrong"),
        Person("x", email="Ann@uni.edu"),
        Person("x", name="Ann-Lee Smith"),
    ],
)
def test_row_is_found_by_participant_then_address_then_name(fill, who):
    other = ROW.replace("7001", "17001").replace("ann@", "n@").replace("Smith", "Roe")
    report, text = fill(ENGLISH + other + ROW, [result("x")], {"x": who})
    assert report.written == 1
    assert text.splitlines()[2].split(",")[4] == "10"


def test_participant_who_is_not_in_the_worksheet_is_listed(fill):
    who = Person("x", ids={"moodle": "9"}, name="Ann-Lee Smith")
    report, text = fill(ENGLISH + ROW, [result("x")], {"x": who})
    assert text == ENGLISH + ROW
    assert report.unmatched == ["x: 10 for Ann-Lee Smith (no such row)"]


def test_score_above_moodles_maximum_is_listed_and_rescaled_on_request(fill):
    small = ROW.replace("100.00", "5.00")
    report, text = fill(ENGLISH + small, [result("s1")])
    assert text == ENGLISH + small
    assert "more than the maximum of 5" in report.unmatched[0]
    report, text = fill(ENGLISH + small, [result("s1")], rescale=True)
    assert ",5,5.00," in text


def test_comment_is_html_of_the_students_edition_alone(fill, failing):
    _, text = fill(ENGLISH + ROW, [failing])
    assert "&lt;b&gt;wrong&lt;/b&gt;" in text
    assert "Property secret holds. (failed, 0/4)" in text
    assert SECRET not in text
    assert "the seed" not in text
    assert len(text.splitlines()) == 2


def test_grader_error_leaves_grade_and_comment_empty(fill):
    report, text = fill(ENGLISH + ROW, [result("s1", {}, status="grader_error")])
    assert text == ENGLISH + ROW
    assert report.empty == ["s1 (grader_error)"]


def test_other_maximum_is_noted(fill):
    report, _ = fill(ENGLISH + ROW, [result("s1", max_score=Decimal(20))])
    assert report.notes == [
        "scores are of 20 points, the column is of 100; --rescale turns them into "
        "those."
    ]


@pytest.mark.parametrize(
    ("header", "row", "no"),
    [
        (ENGLISH, ROW, ",Yes,> ,No,"),
        (GERMAN, GERMAN_ROW, ";Ja;> ;Nein;"),
        (ENGLISH, ROW, ",Yes,> ,否,"),
    ],
)
def test_row_whose_grade_cannot_be_changed_is_listed_and_left_alone(
    fill, header, row, no
):
    yes, no = no.split("> ")
    other = row.replace("7001", "7002").replace("Ann-Lee", "Bo").replace("ann@", "b@")
    locked = row.replace(yes, no)
    report, text = fill(header + locked + other, [result("s1")])
    assert text == header + locked + other
    assert (report.written, report.unmatched) == (
        0,
        [
            "s1: 10 for Smith, Ann-Lee (its grade cannot be changed, so Moodle skips "
            "the row)"
        ],
    )


def test_comment_that_somebody_wrote_is_kept_and_said(fill):
    theirs = ROW.replace('-,""', '-,"See me, please"')
    report, text = fill(ENGLISH + theirs, [result("s1")])
    assert text == ENGLISH + theirs.replace(",,100.00", ",10,100.00")
    assert report.written == 1
    assert report.notes[1:] == [
        "s1: the comment that is in the worksheet is kept; ours is not written. Empty "
        "the cell to have ours."
    ]


def test_comment_of_an_earlier_export_is_replaced(fill):
    ours = ROW.replace('-,""', '-,"<p>6.5 / 10</p><p><b>add</b>: 6.5 / 10</p>"')
    report, text = fill(ENGLISH + ours, [result("s1")])
    assert "<p>10 / 10</p>" in text
    assert "6.5" not in text
    assert not any("comment" in note for note in report.notes)
