"""Results in the formats that other programs read.

Each module has one ``export(results, course, out, ...)``: it writes ``out`` whole
or not at all and returns an ``ExportReport`` that lists what did not go in.
"""

from grader.exports.common import ExportReport

__all__ = ["ExportReport"]
