"""The reader of answer sheets: tolerant of people, indifferent to hostile text."""

import tomllib

import pytest

from grader.quiz.reading import MOST_BYTES, is_blank, number, read_sheet


def words(text, name="q"):
    return read_sheet(text).entries[name][0].words


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('q = "b"', ("b",)),
        ("q = 'b'  # a note", ("b",)),
        ("q = b", ("b",)),
        ("q=“Ｂ”", ("B",)),
        ('"q" = "b"', ("b",)),
        ('q = ["a", "c"]', ("a", "c")),
        ('q = [\n  "a",  # first\n  "c",\n]', ("a", "c")),
        ("q = ［“a”，“c”］", ("a", "c")),
        ("q = a、c", ("a", "c")),
        ("q = 0.25", ("0.25",)),
        ("q ＝ −０.２５", ("-0.25",)),
        ('q = ""', ()),
        ("q = []", ()),
        ("q =", ()),
    ],
)
def test_what_people_write_is_read(line, expected):
    assert words(line) == expected


def test_a_plain_sheet_reads_as_a_toml_parser_reads_it():
    text = '# note\nx = "a"\ny = ["b", "c"]\nz = 1.5\nempty = ""\nnone = []\n'
    known = tomllib.loads(text)
    read = {k: e[0].words for k, e in read_sheet(text).entries.items()}
    assert read == {
        "x": (known["x"],),
        "y": tuple(known["y"]),
        "z": (str(known["z"]),),
        "empty": (),
        "none": (),
    }


@pytest.mark.parametrize("line", ['q = ["a"', 'q = ["a", ["b"]]', "q = {a = 1}"])
def test_a_broken_form_costs_its_own_question_only(line):
    sheet = read_sheet(f'{line}\nnext = "c"\n')
    assert sheet.entries["q"][0].broken
    assert sheet.entries["next"][0].words == ("c",)


def test_lines_that_are_no_answer_are_numbered():
    assert read_sheet("q = a\n\nhello\n[table]\n").strays == (3, 4)


def test_every_line_of_an_answer_given_twice_is_kept():
    entries = read_sheet("q = a\nq = b\n").entries["q"]
    assert [e.line for e in entries] == [1, 2]


@pytest.mark.parametrize(
    "text",
    [
        "q = " + "[" * 60_000,
        "[\n" * 30_000,
        "a." * 30_000 + " = 1",
        'q = ["' + "a" * 60_000,
        "q = [\n" * 10_000,
        "=" * 60_000,
        '"' * 60_000,
        "\ufdfa" * 20_000,  # one letter that normalises to eighteen
        "q = 1\n" * 10_000,
        "q = " + "9" * 60_000,
    ],
)
def test_hostile_text_is_read_without_harm(text):
    sheet = read_sheet(text)
    assert len(sheet.entries) <= 2


def test_text_past_the_limit_is_not_read():
    text = "#" * MOST_BYTES + "\nq = a\n"
    assert read_sheet(text).entries == {}


@pytest.mark.parametrize(
    ("word", "value"),
    [("1", 1.0), ("-.5", -0.5), ("1e-3", 0.001), ("20_000", 20000.0), ("3.", 3.0)],
)
def test_numbers(word, value):
    assert number(word) == value


@pytest.mark.parametrize(
    "word", ["", "a", "1/2", "50%", "nan", "inf", "1e999", "0x1", "1__0", "--1"]
)
def test_what_is_no_finite_number_is_refused(word):
    assert number(word) is None


def test_a_sheet_is_blank_until_something_is_written():
    assert is_blank('# c\nq = ""\nr = []\n')
    assert not is_blank('q = ""\nr = ["a"]\n')
