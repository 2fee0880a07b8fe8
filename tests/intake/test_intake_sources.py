"""Encodings, line ends and what is no Python at all."""

import codecs

import pytest

from grader.errors import IntakeError
from grader.intake.limits import Limits
from grader.intake.sources import decode, to_source

LIMITS = Limits()
CHINESE = "# 掩码为真的位置不能得到权重\nx = '中文'\n"


def source(data, path="masked_softmax.py", limits=LIMITS):
    return to_source("masked_softmax", path, data, limits)


def refused(data, path="masked_softmax.py", limits=LIMITS):
    with pytest.raises(IntakeError, match=r".") as caught:
        source(data, path, limits)
    return str(caught.value)


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"x = 1\n", "x = 1\n"),
        (codecs.BOM_UTF8 + b"x = 1\n", "x = 1\n"),
        (b"x = 1\r\ny = 2\r\n", "x = 1\ny = 2\n"),
        (b"x = 1\ry = 2", "x = 1\ny = 2"),
        (CHINESE.encode(), CHINESE),
        (b"# coding: gbk\n" + CHINESE.encode("gbk"), "# coding: gbk\n" + CHINESE),
        (b"#!x\n# -*- coding: GB2312 -*-\n" + CHINESE.encode("gbk"), None),
        (b"# vim: fileencoding=latin-1\nx = '\xe9'\n", None),
    ],
)
def test_what_an_editor_writes_is_read_without_a_word(data, text):
    found, warnings = source(data)
    assert warnings == []
    assert text is None or found.text == text
    assert found.data == data
    compile(found.text, "x", "exec")


def test_gbk_without_a_coding_line_is_read_and_owned_up_to():
    found, warnings = source(CHINESE.encode("gbk"))
    assert found.text == CHINESE
    assert warnings == [
        "masked_softmax.py is not UTF-8; it was read as GBK. Save it again as UTF-8, "
        "or put the line '# coding: gbk' first."
    ]


def test_one_gbk_letter_among_much_ascii_is_still_recognised():
    data = b"import torch\n" * 50 + "# 掩\n".encode("gbk")
    assert source(data)[0].text.endswith("# 掩\n")


def test_utf16_with_a_mark_is_read_with_a_warning():
    found, warnings = source("x = 1\n".encode("utf-16"))
    assert found.text == "x = 1\n"
    assert warnings == ["masked_softmax.py is UTF-16. Save it again as UTF-8."]


def test_coding_line_counts_only_where_python_looks_for_it():
    text = b"import os\n# coding: gbk\nx = '\xe4\xb8\xad'\n"
    assert source(text)[0].text.endswith("'中'\n")


@pytest.mark.parametrize(
    "name", ["utf-7", "unicode_escape", "rot13", "nonsense", "zlib"]
)
def test_encoding_that_hides_code_is_refused(name):
    message = refused(f"# coding: {name}\nx = 1\n".encode())
    assert message.startswith(f"masked_softmax.py declares the encoding '{name}'")
    assert "Save it again as UTF-8" in message


def test_undeclared_latin_1_names_byte_and_line():
    message = refused(b"x = 1\ny = 'caf\xe9'\n")
    assert "is not UTF-8 (byte 14, line 2)" in message
    assert "Save it again as UTF-8" in message


def test_declared_encoding_that_does_not_fit_is_refused():
    assert "is not UTF-8 (byte 21, line 2)" in refused(b"# coding: utf-8\nx = '\xff'\n")


def test_null_byte_is_placed():
    message = refused(b"x = 1\nreturn\0 x\n")
    assert "holds a null byte (byte 12, line 2)" in message


def test_utf16_without_a_mark_is_told_as_such():
    assert "looks like UTF-16" in refused("x = 1\n".encode("utf-16-le"))


@pytest.mark.parametrize("data", [b"", b"\n \t\r\n"])
def test_empty_file_is_told(data):
    assert "masked_softmax.py is empty" in refused(data)


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"%PDF-1.4 ...", "a PDF"),
        (b"PK\3\4....", "a zip archive"),
        (b"<!DOCTYPE html>", "a web page"),
        (b"{\\rtf1 ...}", "an RTF document"),
    ],
)
def test_document_with_a_python_name_is_named(data, what):
    assert f"is {what}, not Python" in refused(data)


def test_big_file_is_refused_by_size():
    limits = Limits(source_bytes=20_000)
    message = refused(b"#" * 30_000, limits=limits)
    assert message == "masked_softmax.py is too big (30 kB; at most 20 kB)."


def test_names_in_messages_show_no_hidden_character():
    assert "masked\\u202e_softmax.py is empty" in refused(
        b"", "masked\u202e_softmax.py"
    )


def test_decoded_text_can_always_be_written_as_utf8():
    for data in (b"# coding: gb18030\nx='\x81\x30\x81\x30'\n", "x='\ud83d\ude00'"):
        if isinstance(data, str):
            data = data.encode("utf-16", "surrogatepass")
        decode(data, "x.py")[0].encode("utf-8")
