"""A CSV file that is changed in place: untouched cells keep every byte.

The csv module would normalise quotes, line ends and the byte order mark of a
file that an LMS wants back as it gave it.
"""

from __future__ import annotations

import codecs
import re
from pathlib import Path

from grader.errors import UsageError

DELIMITERS = ",;\t"
WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")  # how .xlsx and .ods, or .xls begin


class Sheet:
    """Rows of cells; ``value`` reads one, ``put`` replaces one."""

    def __init__(self, path: Path) -> None:
        """Read ``path``.

        Raises:
            UsageError: it is missing, empty, no CSV, or in no encoding we know.
        """
        self.path = path
        text = self._decode()
        first = text.splitlines()[0] if text.strip() else ""
        if not first:
            raise UsageError(f"{path} is empty.")
        self.delimiter = max(DELIMITERS, key=_unquoted(first).count)
        self._rows, self._ends = _split(text, self.delimiter, path)

    def _decode(self) -> str:
        try:
            data = self.path.read_bytes()
        except OSError as e:
            raise UsageError(f"{self.path} cannot be read: {e.strerror}.") from e
        if data.startswith(WORKBOOKS):
            raise UsageError(
                f"{self.path} is a workbook or an archive; save it as CSV in UTF-8."
            )
        self._mark = b""
        self.encoding = "utf-8"
        for mark, name in (
            (codecs.BOM_UTF8, "utf-8"),
            (codecs.BOM_UTF16_LE, "utf-16-le"),
            (codecs.BOM_UTF16_BE, "utf-16-be"),
        ):
            if data.startswith(mark):
                self._mark, self.encoding = mark, name
                break
        try:
            return data[len(self._mark) :].decode(self.encoding)
        except UnicodeDecodeError as e:
            raise UsageError(
                f"{self.path} is not UTF-8 (byte {e.start}); save it as UTF-8."
            ) from e

    def __len__(self) -> int:
        return len(self._rows)

    def width(self, row: int) -> int:
        """The number of cells in ``row``."""
        return len(self._rows[row])

    def value(self, row: int, column: int) -> str:
        """The text of a cell, without its quotes; empty beyond the row's end."""
        cells = self._rows[row]
        return _unquote(cells[column]) if column < len(cells) else ""

    def values(self, row: int) -> list[str]:
        """The texts of a row."""
        return [_unquote(cell) for cell in self._rows[row]]

    def put(self, row: int, column: int, text: str) -> None:
        """Replace a cell; it is quoted when it has to be, or was before."""
        cells = self._rows[row]
        cells += [""] * (column + 1 - len(cells))
        special = any(c in text for c in f'{self.delimiter}"\r\n')
        if special or cells[column].startswith('"'):
            text = '"' + text.replace('"', '""') + '"'
        cells[column] = text

    def to_bytes(self) -> bytes:
        """The whole file, as it was but for the cells that were put."""
        text = "".join(
            self.delimiter.join(cells) + end
            for cells, end in zip(self._rows, self._ends, strict=True)
        )
        return self._mark + text.encode(self.encoding)


def _unquoted(line: str) -> str:
    return re.sub(r'"[^"]*"', "", line)


def _unquote(cell: str) -> str:
    if len(cell) >= 2 and cell.startswith('"') and cell.endswith('"'):
        return cell[1:-1].replace('""', '"')
    return cell


def _split(text: str, delimiter: str, path: Path) -> tuple[list[list[str]], list[str]]:
    """(raw cells of each row, what ends each row)."""
    cut = re.escape(delimiter)
    token = re.compile(
        rf'("(?:[^"]|"")*"[^{cut}\r\n]*|[^{cut}\r\n]*)({cut}|\r\n|\n|\r|\Z)'
    )
    rows: list[list[str]] = [[]]
    ends: list[str] = []
    position = 0
    while True:
        match = token.match(text, position)
        if match is None or (match[1].startswith('"') and match[1].count('"') % 2):
            raise UsageError(f"{path}: a quote in row {len(rows)} is never closed.")
        rows[-1].append(match[1])
        position = match.end()
        if match[2] == delimiter:
            continue
        ends.append(match[2])
        if position == len(text):
            return rows, ends
        rows.append([])
