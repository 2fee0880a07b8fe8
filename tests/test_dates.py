"""Deadlines: zones, summer time, grace, rates, and what course.toml may say."""

import datetime as dt
from decimal import Decimal
from pathlib import Path

import pytest
from gradings import COURSE, EXERCISE

from grader import dates
from grader.course import load_course
from grader.dates import Assignment, Dates, Extension
from grader.errors import CourseError

BERLIN = Dates(zone="Europe/Berlin", rate=Decimal(10), cap=Decimal(50))


def rules(deadline, settings=BERLIN, **own):
    return dates.resolve(settings, Assignment("week1", deadline, **own))


def late(deadline, submitted, extension=None, **own):
    return dates.judge(rules(deadline, **own), submitted, extension)


@pytest.mark.parametrize(
    ("submitted", "days"),
    [
        ("2026-05-04T23:59:00+02:00", 0),
        ("2026-05-04T21:59:00+00:00", 0),  # the same moment
        ("2026-05-04T22:59:01+00:00", 1),
        ("2026-05-05T23:59:00+02:00", 1),
        ("2026-05-05T23:59:01+02:00", 2),
        ("2026-05-05T06:00:00+08:00", 1),
        ("2026-05-04T23:59:00", 0),  # no offset: the zone's own clock
    ],
)
def test_started_days_count_from_the_deadline_on_its_own_clock(submitted, days):
    assert late("2026-05-04 23:59", submitted).days == days


@pytest.mark.parametrize(
    ("deadline", "submitted", "days"),
    [
        # The clock goes forward at 2 on 29 March: this day has 23 hours.
        ("2026-03-28 12:00", "2026-03-29T12:00:00+02:00", 1),
        ("2026-03-28 12:00", "2026-03-29T12:00:01+02:00", 2),
        # ... and back at 3 on 25 October: this one has 25.
        ("2026-10-24 12:00", "2026-10-25T12:00:00+01:00", 1),
        ("2026-10-24 12:00", "2026-10-25T12:00:01+01:00", 2),
    ],
)
def test_a_day_ends_at_the_same_time_of_day_when_the_clock_is_changed(
    deadline, submitted, days
):
    assert late(deadline, submitted).days == days


def test_deadline_that_comes_twice_is_the_later_one():
    """2:30 on 25 October is first summer, then winter time."""
    assert late("2026-10-25 02:30", "2026-10-25T02:30:00+01:00").days == 0
    assert late("2026-10-25 02:30", "2026-10-25T02:30:01+01:00").days == 1


def test_day_that_ends_in_the_skipped_hour_ends_after_it():
    assert late("2026-03-28 02:30", "2026-03-29T03:30:00+02:00").days == 1
    assert late("2026-03-28 02:30", "2026-03-29T03:30:01+02:00").days == 2


def test_grace_forgives_but_does_not_move_the_days():
    assert late("2026-05-04 12:00", "2026-05-04T12:10:00", grace_minutes=10).days == 0
    assert late("2026-05-04 12:00", "2026-05-04T12:10:01", grace_minutes=10).days == 1
    assert late("2026-05-04 12:00", "2026-05-05T12:05:00", grace_minutes=10).days == 2


def test_rate_grows_by_the_day_up_to_the_cap():
    due = "2026-05-04 12:00"
    percents = [late(due, f"2026-05-{day:02}T13:00:00").percent for day in range(4, 12)]
    assert percents == [10, 20, 30, 40, 50, 50, 50, 50]


@pytest.mark.parametrize("unknown", [None, "", "yesterday"])
def test_unknown_time_costs_nothing(unknown):
    found = late("2026-05-04 12:00", unknown)
    assert (found.days, found.percent) == (None, 0)


def test_extension_moves_the_deadline_and_an_excuse_takes_the_cost():
    due, handed_in = "2026-05-04 12:00", "2026-05-06T11:00:00"
    assert late(due, handed_in).percent == 20
    assert late(due, handed_in, Extension(days=1)).percent == 10
    assert late(due, handed_in, Extension(until="2026-05-06 11:00")).percent == 0
    excused = late(due, handed_in, Extension(excused=True))
    assert (excused.days, excused.percent) == (2, 0)


def test_extension_over_a_clock_change_keeps_the_time_of_day():
    found = late("2026-03-28 12:00", "2026-03-29T12:00:00", Extension(days=1))
    assert found.due.isoformat() == "2026-03-29T12:00:00+02:00"
    assert found.days == 0


def test_without_a_deadline_nothing_is_late():
    assert late(None, "2026-05-04T12:10:00") is None


def course_with(folder: Path, text: str):
    (folder / "course.toml").write_text(COURSE + EXERCISE.format(name="add") + text)
    return load_course(folder)


def test_assignment_says_only_what_differs(tmp_path):
    course = course_with(
        tmp_path,
        '[dates]\nzone = "Asia/Shanghai"\nrate = 10\n'
        '[[assignments]]\nname = "week1"\ndeadline = 2026-05-04T12:00:00\n'
        '[[assignments]]\nname = "week2"\ndeadline = "2026-05-11 23:59"\n'
        'rate = "12.5"\nattempts = "best"\nexercises = ["add"]\n',
    )
    first, second = course.rules("week1"), course.rules("week2")
    assert (first.deadline, first.zone) == ("2026-05-04 12:00", "Asia/Shanghai")
    assert (first.rate, first.attempts) == (10, "last")
    assert (second.rate, second.attempts) == (Decimal("12.5"), "best")
    with pytest.raises(CourseError, match="unknown assignment 'wek1'; did you mean"):
        course.rules("wek1")


def test_deadline_with_an_offset_is_told_on_the_clock_of_the_zone():
    moment = dt.datetime(2026, 5, 4, 10, 0, tzinfo=dt.UTC)
    assert rules(moment).deadline == "2026-05-04 12:00"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[dates]\nrat = 10\n", r"\[dates\] unknown key 'rat'; did you mean: rate"),
        ('[dates]\nzone = "Berlin"\n', "'Berlin' is no time zone; write one like"),
        ("[dates]\nrate = 110\n", "rate is a percentage from 0 to 100"),
        ('[dates]\nattempts = "all"\n', 'attempts is "last" or "best", not \'all\''),
        ('[dates]\nrate_of = "x"\n', 'rate_of is "score" or "maximum"'),
        ("[dates]\ngrace_minutes = -1\n", "grace_minutes is not negative"),
        (
            '[[assignments]]\nname = "w"\ndedline = "2026-01-01 10:00"\n',
            r"\[\[assignments\]\] unknown key 'dedline'; did you mean: deadline",
        ),
        (
            '[[assignments]]\nname = "w"\ndeadline = "2026-01-01"\n',
            "'w': 2026-01-01 is no date with a time of day; write it like",
        ),
        (
            '[[assignments]]\nname = "w"\ndeadline = 2026-01-01\n',
            "is no date with a time of day",
        ),
        (
            '[[assignments]]\nname = "w"\nzone = "Europe/Berlin"\n'
            'deadline = "2026-03-29 02:30"\n',
            "2026-03-29 02:30 does not exist in Europe/Berlin: the clock",
        ),
        (
            '[[assignments]]\nname = "w"\nexercises = ["ad"]\n',
            "unknown exercise 'ad'; did you mean: add",
        ),
        (
            '[[assignments]]\nname = "w"\n[[assignments]]\nname = "w"\n',
            "assignment 'w' is listed twice",
        ),
    ],
)
def test_wrong_dates_are_refused_with_what_would_be_right(tmp_path, text, message):
    with pytest.raises(CourseError, match=message):
        course_with(tmp_path, text)
