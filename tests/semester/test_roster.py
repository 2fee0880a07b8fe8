"""The class list: every form it comes in, and whose hand-in is whose."""

import pytest
from gradings import submission

from grader.errors import UsageError
from grader.gradebook import Enrolled, Person
from grader.semester.roster import assign
from grader.semester.roster_file import read_roster
from grader.semester.times import apply_times

ADA = Enrolled("ada", "Ada Lovelace", "ada@uni.example", "A", ids={"canvas": "101"})
LEE = Enrolled("lee", "Lee Min", "lee@uni.example", "B", ids={"moodle": "13"})


def written(tmp_path, text):
    path = tmp_path / "class.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_own_list_of_id_name_email_section(tmp_path):
    text = "id;name;email;section;team\nlee;Lee Min;l@x.org;B;Reds\nada;Ada;;A;\n"
    assert read_roster(written(tmp_path, text)) == [
        Enrolled("ada", "Ada", "", "A", "", {"sid": "ada"}),
        Enrolled("lee", "Lee Min", "l@x.org", "B", "Reds", {"sid": "lee"}),
    ]


def test_gradebook_of_canvas(tmp_path):
    text = (
        "Student,ID,SIS User ID,SIS Login ID,Section,Week 1 (4711)\n"
        "    Points Possible,,,,,100\n"
        '"Lovelace, Ada",101,s77,ada77,Tuesday,\n'
        '"Student, Test",9,,,Tuesday,\n'
    )
    first, second = read_roster(written(tmp_path, text))
    assert first.id == "Student-Test"
    assert second == Enrolled(
        "ada77",
        "Lovelace, Ada",
        "",
        "Tuesday",
        "",
        {"canvas": "101", "sid": "s77", "login": "ada77"},
    )


def test_worksheet_and_list_of_participants_of_moodle(tmp_path):
    sheet = (
        "Identifier,Full name,Email address,Status,Grade\n"
        "Participant 13,Lee Min,lee@uni.example,,\n"
    )
    found = read_roster(written(tmp_path, sheet))
    assert found == [
        Enrolled("lee", "Lee Min", "lee@uni.example", "", "", {"moodle": "13"})
    ]
    people = (
        "First name,Last name,ID number,Email address,Groups\nLee,Min,4711,l@x.org,B\n"
    )
    (found,) = read_roster(written(tmp_path, people))
    assert (found.id, found.name, found.section) == ("4711", "Lee Min", "B")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("who,what\na,b\n", "is no class list: its first line should name columns"),
        ("id,name\nlee,Lee\nlee,Lea\n", r"lee is there twice \(line 3\)"),
        ("id,name\n", "lists nobody"),
    ],
)
def test_list_that_cannot_be_used_is_refused(tmp_path, text, message):
    with pytest.raises(UsageError, match=message):
        read_roster(written(tmp_path, text))


@pytest.mark.parametrize(
    "handed_in",
    [
        submission("lovelaceada-101", ids={"canvas": "101"}),
        submission("lovelaceada-5", name="lovelaceada"),
        submission("x", email="ADA@uni.example"),
        submission("Ada-Lovelace-7", name="Ada Lovelace"),
        submission("ada"),
    ],
)
def test_hand_in_is_found_by_any_key_and_gets_the_lists_id(handed_in):
    found = assign([handed_in], [ADA, LEE], {})
    mine = found.submissions[0]
    assert (mine.id, mine.name, mine.email) == ("ada", ADA.name, ADA.email)
    assert found.unknown == []


def test_who_handed_in_nothing_gets_a_row():
    found = assign([submission("ada")], [ADA, LEE], {})
    assert found.missing == ["lee"]
    lee = found.submissions[1]
    assert (lee.id, lee.name, lee.files) == ("lee", "Lee Min", {})


def test_unknown_hand_in_is_graded_and_named_with_the_nearest():
    found = assign([submission("lea-min", name="Lea Min")], [ADA, LEE], {})
    assert [s.id for s in found.submissions] == ["ada", "lea-min", "lee"]
    assert found.unknown == [
        "lea-min (Lea Min) is not on the class list; nearest: lee (Lee Min)"
    ]


def test_namesakes_are_not_told_apart_by_name():
    twins = [Enrolled("a", "Lee Min"), Enrolled("b", "Lee Min")]
    found = assign([submission("Lee-Min-3", name="Lee Min")], twins, {})
    assert len(found.unknown) == 1
    assert found.missing == ["a", "b"]


def test_id_that_the_gradebook_has_stays():
    known = {"minlee-103": Person("minlee-103", "minlee", ids={"moodle": "13"})}
    late = submission("Lee-Min-13", name="Lee Min", ids={"moodle": "13"})
    found = assign([late], [ADA, LEE], known)
    assert [s.id for s in found.submissions] == ["ada", "minlee-103"]
    assert found.roster[1].submission == "minlee-103"
    assert found.missing == ["ada"]


def test_group_of_the_hand_in_shares_its_result():
    both = submission("12345", name="Ada L", group=["Ada Lovelace", "lee@uni.example"])
    found = assign([both], [ADA, LEE], {})
    assert [p.submission for p in found.roster] == ["ada", "ada"]
    assert found.missing == []


def test_team_of_the_list_shares_the_result_of_any_member():
    team = [Enrolled("a", "Ada", team="Reds"), Enrolled("b", "Bo", team="Reds")]
    for handed_in in (submission("b"), submission("Reds-4", name="Reds")):
        found = assign([handed_in], team, {})
        assert [p.submission for p in found.roster] == ["Reds", "Reds"]
        assert found.missing == []


def test_of_two_hand_ins_in_one_call_the_later_counts_and_says_so():
    early = submission("lovelaceada-101", {"add": "1"}, ids={"canvas": "101"})
    late = submission("ada", {"add": "2"})
    early.submitted_at, late.submitted_at = "2026-01-01T10:00", "2026-01-02T10:00"
    for order in ([early, late], [late, early]):
        early.id, late.id = "lovelaceada-101", "ada"
        late.warnings.clear()
        found = assign(order, [ADA], {})
        assert [s.files["add"].text for s in found.submissions] == ["2"]
        assert "handed in twice in this call" in found.submissions[0].warnings[0]


def test_times_are_found_by_id_name_or_number_on_the_clock_of_the_zone(tmp_path):
    path = written(
        tmp_path,
        "Identifier,Full name,time\n"
        "Participant 13,,2026-05-04 12:00\n,Ada Lovelace,2026-05-04T12:00:00Z\n",
    )
    class_ = [
        submission("ada", name="Ada Lovelace"),
        submission("lee", ids={"moodle": "13"}),
    ]
    assert apply_times(class_, path, "Asia/Shanghai") == []
    assert [s.submitted_at for s in class_] == [
        "2026-05-04T20:00:00+08:00",
        "2026-05-04T12:00:00+08:00",
    ]
    assert class_[0].time_source == "class.csv"


def test_line_of_a_stranger_is_named_with_the_nearest(tmp_path):
    path = written(tmp_path, "id,time\naada,2026-05-04 12:00\n")
    class_ = [submission("ada", name="ada")]
    assert apply_times(class_, path, "UTC") == [
        "class.csv: aada handed in nothing here; nearest: ada"
    ]
    assert class_[0].submitted_at is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("id,when\na,b\n", "has no times: its first line should name the columns"),
        ("id,time\na,noon\n", "line 2: 'noon' is no time; write it like"),
    ],
)
def test_times_that_cannot_be_read_are_refused(tmp_path, text, message):
    with pytest.raises(UsageError, match=message):
        apply_times([submission("a")], written(tmp_path, text), "UTC")
