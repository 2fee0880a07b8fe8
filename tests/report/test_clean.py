import time
import unicodedata
from xml.etree import ElementTree

import pytest

from grader.report.clean import clean_line, clean_text

BAD = {
    "escape": ("\x1b[31mred\x1b[0m", "\u241b[31mred\u241b[0m"),
    "osc title": ("\x1b]0;owned\x07", "\u241b]0;owned\u2407"),
    "one-byte csi": ("\x9b31m", "<U+009B>31m"),
    "right to left": ("abc\u202edcba", "abc<U+202E>dcba"),
    "isolate": ("\u2066x\u2069", "<U+2066>x<U+2069>"),
    "zero width": ("pass\u200bword", "pass<U+200B>word"),
    "byte order mark": ("\ufeffx", "<U+FEFF>x"),
    "null": ("a\x00b", "a\u2400b"),
    "delete": ("a\x7f", "a\u2421"),
    "carriage return": ("good\rbad", "good\u240dbad"),
    "lone surrogate": ("a\ud800b", "a<U+D800>b"),
    "non-character": ("a\ufffeb", "a<U+FFFE>b"),
    "line separator": ("a\u2028b", "a<U+2028>b"),
    "hangul filler": ("a\u3164b", "a<U+3164>b"),
    "tag letters": ("a\U000e0041", "a<U+E0041>"),
    "variation selector": ("a\U000e0100", "a<U+E0100>"),
}


@pytest.mark.parametrize("kind", BAD)
def test_dangerous_character_becomes_visible(kind):
    given, shown = BAD[kind]

    assert clean_text(given) == shown
    assert clean_line(given) == shown


@pytest.mark.parametrize(
    "text", ["注意力权重", "naïve café", "👍🏽 ✔️", "a\tb\nc", "x_i ≤ ½"]
)
def test_honest_text_stays_as_it_is(text):
    assert clean_text(text) == text


def test_every_code_point_comes_out_fit_for_xml_utf8_and_a_terminal():
    every = "".join(map(chr, [*range(0x20000), *range(0xE0000, 0xE0200), 0x10FFFF]))
    shown = clean_text(every, limit=len(every), lines=len(every))
    ElementTree.fromstring(f"<t>{shown.translate({38: None, 60: None})}</t>")
    left = {c for c in set(shown) if unicodedata.category(c) in ("Cc", "Cf", "Cs")}

    assert left == {"\t", "\n"}
    assert len(shown.encode("utf-8")) > len(every)


def test_windows_line_ends_become_line_feeds():
    assert clean_text("a\r\nb") == "a\nb"


def test_one_line_stays_one_line():
    assert clean_line("a\nb\tc") == "a\u240ab\u2409c"


def test_long_text_keeps_head_and_tail_and_says_how_much_is_gone():
    text = clean_text("HEAD" + "x" * 100_000 + "TAIL", limit=300)

    assert text.startswith("HEAD")
    assert text.endswith("TAIL")
    assert "[99708 characters left out]" in text
    assert len(text) < 400


def test_many_lines_keep_first_and_last():
    text = clean_text("\n".join(map(str, range(1000))), lines=9)

    assert text.split("\n") == [*"012345", "[991 lines left out]", "997", "998", "999"]


def test_long_line_keeps_head_and_tail():
    assert clean_line("a" * 50 + "b" * 50, limit=9) == (
        "aaaaaa ... [91 characters left out] ... bbb"
    )


def test_stacked_combining_marks_are_capped():
    assert clean_text("e" + "\u0301" * 50) == "e" + "\u0301" * 3 + "<marks>"


def test_hundred_megabytes_are_cut_before_they_are_read():
    text = "\x1b[0m" * 25_000_000
    started = time.process_time()
    clean_text(text)

    assert time.process_time() - started < 2
