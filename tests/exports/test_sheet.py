import pytest

from grader.errors import UsageError
from grader.exports.sheet import Sheet

ODD = (
    b'\xef\xbb\xbfName;"Grade";Note\r\n'
    b'"Lee; Kim";;"two\r\nlines ""quoted"""\r\n'
    b"plain;3,5;\n"
    b"short\r\n"
)


@pytest.fixture
def sheet(tmp_path):
    path = tmp_path / "sheet.csv"
    path.write_bytes(ODD)
    return Sheet(path)


def test_sheet_that_nobody_touched_keeps_every_byte(sheet):
    assert sheet.to_bytes() == ODD
    assert sheet.delimiter == ";"


def test_cells_are_read_without_their_quotes(sheet):
    assert sheet.values(1) == ["Lee; Kim", "", 'two\r\nlines "quoted"']
    assert sheet.value(3, 2) == ""


def test_only_the_cells_that_are_put_change(sheet):
    sheet.put(1, 1, "7")
    sheet.put(2, 2, 'say "a;b"')
    sheet.put(3, 2, "x")
    assert sheet.to_bytes() == (
        b'\xef\xbb\xbfName;"Grade";Note\r\n'
        b'"Lee; Kim";7;"two\r\nlines ""quoted"""\r\n'
        b'plain;3,5;"say ""a;b"""\n'
        b"short;;x\r\n"
    )


def test_cell_that_was_quoted_stays_quoted(sheet):
    sheet.put(0, 1, "G")
    assert b'Name;"G";Note' in sheet.to_bytes()


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "utf-8"])
def test_encoding_and_mark_are_kept(tmp_path, encoding):
    path = tmp_path / "s.csv"
    path.write_bytes("名,分\n王,1".encode(encoding))
    sheet = Sheet(path)
    sheet.put(1, 1, "2")
    assert sheet.to_bytes() == "名,分\n王,2".encode(encoding)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "is empty"),
        (b"\n\n", "is empty"),
        (b'a,b\n"never closed,1\n', "a quote in row 2 is never closed"),
        (b"\xff\xfa\xfb", r"is not UTF-8 \(byte 0\)"),
    ],
)
def test_file_that_is_no_csv_is_refused(tmp_path, data, message):
    path = tmp_path / "s.csv"
    path.write_bytes(data)
    with pytest.raises(UsageError, match=message):
        Sheet(path)


def test_file_that_is_missing_is_named(tmp_path):
    with pytest.raises(UsageError, match=r"gone\.csv cannot be read"):
        Sheet(tmp_path / "gone.csv")
