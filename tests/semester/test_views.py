"""Differences, codes, feedback and purging, on small gradebooks without sessions."""

import zipfile
from decimal import Decimal

import pytest
from gradings import check, exercise, result, submission, tiny_course

from grader.errors import EnvironmentFault, UsageError
from grader.gradebook import Enrolled, Gradebook, New, Person
from grader.results import Outcome, from_json, to_json
from grader.semester import diff, feedback, folders, lookup, purge, sections
from grader.semester.anonymous import Codes

FAILED = Outcome.FAILED


@pytest.fixture
def course(tmp_path):
    return tiny_course(tmp_path / "course", ("add",))


@pytest.fixture
def book(tmp_path):
    with Gradebook.open(tmp_path / "gradebook.sqlite") as opened:
        yield opened


def graded(first="pass", second="pass", **fields):
    outcomes = [Outcome.PASSED if w == "pass" else FAILED for w in (first, second)]
    checks = [
        check("one", "6", outcomes[0], **fields),
        check("two", "4", outcomes[1]),
    ]
    return {"add": exercise(f"{first} {second} {len(fields)}", checks)}


def record(book, who, exercises=None, **fields):
    run = book.begin_run()
    book.record(run, result(who, exercises or graded()), submission(who, **fields))
    return run


# Differences


def test_diff_names_every_changed_score_and_the_checks_behind_it(book):
    first = record(book, "s1", graded("pass", "fail"))
    record(book, "s2")
    last = record(book, "s1", graded("fail", "pass"))
    (told, old), (_, new) = diff.state(book, str(first)), diff.state(book, str(last))
    assert told == "run 1"
    changes = {c.submission: c.lines() for c in diff.changes(old, new)}
    assert changes == {
        "s1": [
            "s1: 6 of 10 -> 4 of 10",
            "  add: 6 of 10 -> 4 of 10 (one 6 -> 0, two 0 -> 4)",
        ],
        "s2": ["s2: nothing -> 10 of 10"],
    }


def test_diff_of_a_run_that_is_not_there_says_which_are(book):
    with pytest.raises(UsageError, match=r"no run '7'; name a run \(none yet\)"):
        diff.state(book, "7")
    record(book, "s1")
    with pytest.raises(UsageError, match=r"name a run \(1 to 1\), published, or now"):
        diff.state(book, "7")
    with pytest.raises(UsageError, match="nothing has been published yet"):
        diff.state(book, "published")


def test_what_was_published_stays_as_it_was(book):
    record(book, "s1")
    book.publish(New("publish", "week 1"), book.results())
    value = {"points": "-1", "relative": True}
    book.decide(New("adjust", "why", value, "s1", "add"))
    words, old = diff.state(book, "published")
    (change,) = diff.changes(old, diff.state(book, "now")[1])
    assert words == "publication 1"
    assert (change.old, change.new) == ("10 of 10", "9 of 10")
    assert change.exercises == {"add": "10 of 10 -> 9 of 10"}


# Names that people type


def test_names_that_are_not_there_are_answered_with_near_ones(book, course):
    record(book, "lovelace")
    with pytest.raises(UsageError, match="no submission 'lovlace'; did you mean: love"):
        lookup.submission(book, "lovlace")
    with pytest.raises(UsageError, match="has no exercise 'ad'; did you mean: add"):
        lookup.exercise(course, book.current("lovelace"), "ad")
    with pytest.raises(UsageError, match="has a check 'tow'; did you mean: two"):
        lookup.check(book, "tow")
    assert lookup.check(book, "add/two") == ("add", "two", Decimal(4))
    with pytest.raises(UsageError, match="a reason is missing"):
        lookup.reason("  ")


def test_check_that_two_exercises_have_must_be_named_with_its_exercise(book):
    checks = [check("one", "10")]
    both = {"add": exercise("k1", checks), "mul": exercise("k2", checks)}
    record(book, "s1", both)
    with pytest.raises(UsageError, match="several exercises have a check 'one': add/"):
        lookup.check(book, "one")
    assert lookup.check(book, "mul/one")[0] == "mul"


# Sections


def test_section_that_nobody_is_in_is_answered_with_those_there_are():
    people = {"a": Person("a", section="Tue"), "b": Person("b")}
    assert sections.members(people, "Tue")("a")
    assert not sections.members(people, "Tue")("b")
    assert sections.members(people, "")("b")
    with pytest.raises(UsageError, match="nobody is in section 'Mon'; sections: Tue"):
        sections.members(people, "Mon")


# Codes


def test_codes_are_stable_different_and_not_to_be_made_from_names(tmp_path):
    with Gradebook.open(tmp_path / "a") as first, Gradebook.open(tmp_path / "b") as two:
        codes = Codes(first)
        assert codes["ada"] == Codes(first)["ada"] != codes["lee"]
        assert Codes(two)["ada"] != codes["ada"]


def test_result_under_a_code_has_no_form_of_the_name(book):
    said = {
        "got": "ADA LOVELACE and adam",
        "trace": "# by Ada Lovelace, max_points",
        "output": "lovelace@uni.example\nada",
        "message": "max",
    }
    parts = graded("fail", **said)
    parts["add"].source = "ada_final.py"
    parts["add"].warnings = ["Comment: see you, Ada"]
    record(book, "ada", parts, name="Ada Lovelace", email="lovelace@uni.example")
    codes = Codes(book)
    found = codes.result(book.current("ada"))
    text = to_json(found).decode()
    shown = found.exercises["add"].checks[0]
    assert found.submission == codes["ada"]
    assert shown.got == f"{codes['ada']} and adam"  # another word stays whole
    assert shown.message == "max"
    for name in ("lovelace", "ada_final", "see you", "uni.example"):
        assert name not in text.lower()
    assert from_json(text).score == 4


# Feedback


def item(book, who, **person):
    record(book, who)
    return feedback.Item(book.current(who), Person(who, **person))


def test_names_in_zips_are_those_that_the_systems_take_apart():
    odd = Person("x", "D'Arc_7, Zoë/..", ids={"moodle": "12", "canvas": "3"})
    assert feedback.moodle_name(odd) == (
        "D Arc 7 Zoë_12_assignsubmission_file_feedback.html"
    )
    assert feedback.canvas_name(odd) is None  # no file of Canvas was handed in
    odd.ids["canvas_file"] = "9001"
    assert feedback.canvas_name(odd) == "darczoë_3_9001_feedback.html"
    assert feedback.moodle_name(Person("x")) is None


def test_everybody_of_a_group_gets_the_page_in_the_zip(book, course, tmp_path):
    mates = [Person(n, n, ids={"moodle": m}) for n, m in (("ada", "1"), ("lee", "2"))]
    team = item(book, "Reds", mates=mates)
    handed = feedback.write([team], course, "moodle", tmp_path / "back.zip")
    with zipfile.ZipFile(tmp_path / "back.zip") as archive:
        assert [n.partition("_")[0] for n in archive.namelist()] == ["ada", "lee"]
    assert handed.written == 2


def test_markdown_lets_no_text_be_a_mark_or_a_mention(book, course):
    record(book, "s1", graded("fail", got="```\n<b>@lee</b>", title="Is *it* @all?"))
    text = feedback.markdown(book.current("s1"), course)
    assert "````text" in text
    assert r"Is \*it\*" in text
    assert "@all" not in text
    assert "**4 of 10 points**" in text


def test_feedback_that_breaks_off_leaves_the_old_files(book, course, tmp_path):
    items = [item(book, "s1"), item(book, "s2")]

    def broken():
        yield items[0]
        raise OSError(28, "no space left")

    for format, name in (("folder", "back"), ("moodle", "back.zip")):
        target = tmp_path / name
        feedback.write(items, course, format, target)
        before = sorted(target.iterdir()) if format == "folder" else target.read_bytes()
        with pytest.raises(EnvironmentFault, match="no space left"):
            feedback.write(broken(), course, format, target)
        after = sorted(target.iterdir()) if format == "folder" else target.read_bytes()
        assert before == after
    names = {p.name for p in tmp_path.iterdir() if p.name.startswith(".")}
    assert names == set()


def test_folder_of_a_writer_that_died_between_its_renamings_comes_back(tmp_path):
    (tmp_path / ".back.old").mkdir()
    (tmp_path / ".back.old" / "s1.html").write_text("old")

    def broken():
        with folders.replacing_folder(tmp_path / "back"):
            raise KeyError("now")

    with pytest.raises(KeyError, match="now"):
        broken()
    assert (tmp_path / "back" / "s1.html").read_text() == "old"


# Purging


def test_purge_takes_only_those_last_graded_before_the_day(book):
    record(book, "s1")
    assert purge.going(book.connection, purge.day("2020-01-01")) == []
    assert purge.going(book.connection, purge.day("2999-01-01")) == ["s1"]
    with pytest.raises(UsageError, match="'soon' is no day; write it like"):
        purge.day("soon")


def take(book, who):
    with book.trial(dry=False):
        return purge.purge(book, New("purge", "why", {}), who)


def test_purge_removes_every_row_of_a_person_and_keeps_the_others(book):
    people = [Enrolled(w, f"Name {w}", submission=w) for w in ("s1", "s2")]
    for who in ("s1", "s2"):
        record(book, who, name=f"Name {who}")
    book.decide(New("roster", "list"), enrolled=people)
    book.decide(New("comment", "c", {"text": "hello s1"}, "s1", "add"))
    book.publish(New("publish", "p"), book.results())
    book.set_setting("absent", '["s1", "s2"]')
    take(book, ["s1"])
    book.compact()
    assert book.get_setting("absent") is None
    assert b"Name s1" not in book.path.read_bytes()
    assert [r.submission for r in book.results()] == ["s2"]
    assert [p.id for p in book.roster()] == ["s2"]
    assert list(book.published()[1]) == ["s2"]
    assert book.connection.execute("PRAGMA foreign_key_check").fetchall() == []
    assert book.connection.execute("SELECT count(*) FROM statistics").fetchone() == (
        0,
    )  # one person: no counts


def test_result_that_two_share_stays_while_one_of_them_does(book):
    same = graded()
    record(book, "s1", same)
    record(book, "s2", same)
    take(book, ["s1"])
    assert book.current("s2").score == 10


def test_history_is_guarded_again_after_a_purge(book):
    record(book, "s1")
    record(book, "s2")
    take(book, ["s1"])
    with pytest.raises(Exception, match="the history of a gradebook is never deleted"):
        book.connection.execute("DELETE FROM gradings")


def test_counts_of_a_class_stay_when_it_goes(book):
    for number in range(4):
        record(book, f"s{number}", graded("pass", "pass" if number else "fail"))
    take(book, [f"s{number}" for number in range(4)])
    kept = book.connection.execute(
        "SELECT kind, name, people, of FROM statistics ORDER BY kind, name"
    ).fetchall()
    assert kept == [
        ("check", "one", 4, 4),
        ("check", "two", 3, 4),
        ("score", "60-70 %", 1, 4),
        ("score", "90-100 %", 3, 4),
        ("status", "graded", 4, 4),
    ]


def test_purge_that_breaks_off_removes_nothing(book, monkeypatch):
    record(book, "s1")
    monkeypatch.setattr(purge, "_DELETE", (*purge._DELETE, "DELETE FROM nowhere"))
    with pytest.raises(Exception, match="no such table: nowhere"):
        take(book, ["s1"])
    assert book.current("s1").score == 10
    assert book.log() == []
