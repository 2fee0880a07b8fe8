"""Hand-ins that break the tools of the trusted side: sources and notebooks as bytes.

Each goes through intake and a session as any other does. What a naive tool does
with it is shown beside: it crashes, or it reads another text than the one that runs.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from attack_bait import Bait
from attack_session import COURSE, Driven, encode

from grader.errors import IntakeError
from grader.intake import Limits
from grader.intake.sources import to_source
from grader.isolation.probe import probe
from grader.session.protocol import Request
from grader.submission import Submission

RIGHT = "def square(x):\n    return x * x\n"
INTAKE_S, ANSWER_S = 3.0, 30.0


@dataclass(frozen=True)
class Hand:
    """``words``: what intake says when it refuses; else ``points`` are earned.

    ``naive`` is a program that gets the bytes on standard input, as a careless
    tool would read them, and must fail or print "another".
    """

    data: bytes
    naive: str
    points: int = 100
    words: str = ""
    name: str = "square.py"


def notebook(*cells: str, **more: object) -> bytes:
    found = [
        {"cell_type": "code", "source": c, "outputs": [], "metadata": {}} for c in cells
    ]
    return json.dumps({"nbformat": 4, "cells": found, **more}).encode()


PARSE = "import ast, sys; ast.parse(sys.stdin.buffer.read())"
VISIT = """
import ast, sys
class Names(ast.NodeVisitor):
    def visit_Name(self, node): self.generic_visit(node)
Names().visit(ast.parse(sys.stdin.buffer.read()))
"""
LOAD = "import json, sys; json.loads(sys.stdin.buffer.read())"
DECODE = """
import io, sys, tokenize
data = sys.stdin.buffer.read()
codec, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
shown = data.decode("utf-8", "replace")
print("another" if data.decode(codec) != shown else "the same")
"""
LINES = """
import sys
text = sys.stdin.buffer.read().decode()
lines = text.strip().splitlines()
print("another" if text.strip().split(chr(10)) != lines else "the same")
"""
PRINT = """
import json, sys
for cell in json.loads(sys.stdin.buffer.read())["cells"]:
    sys.stdout.write(cell["source"])
"""
SMALL = """
import json, resource, sys
resource.setrlimit(resource.RLIMIT_AS, (60 << 20, 60 << 20))
json.loads(sys.stdin.buffer.read())
"""
CELLS = 'import json, sys; sys.exit(len(json.load(sys.stdin)["cells"]) > 5000)'
HIDDEN = "# coding: utf-7\ndef square(x):\n    return x * x\n# +AAo-square = print\n"

HANDS = {
    "parentheses without end": Hand(
        (RIGHT + "y = " + "(" * 5000 + "1" + ")" * 5000).encode(), PARSE, 0
    ),
    "lists in lists": Hand(
        (RIGHT + "y = " + "[" * 3000 + "]" * 3000).encode(), PARSE, 0
    ),
    "minus signs without end": Hand(
        (RIGHT + "y = " + "-" * 99_000 + "1").encode(), PARSE, 0
    ),
    "a sum that imports and breaks visitors": Hand(
        (RIGHT + "y = " + "+".join(["1"] * 1500)).encode(), VISIT, 100
    ),
    "attributes of attributes": Hand(
        (RIGHT + "def f(x):\n    return x" + ".a" * 1500).encode(), VISIT, 100
    ),
    "indents without end": Hand(
        (RIGHT + "".join(" " * i + "if 1:\n" for i in range(150))).encode(), PARSE, 0
    ),
    "a number of a million digits": Hand(
        (RIGHT + "y = " + "9" * 500_000).encode(), PARSE, 0
    ),
    "utf-7 that hides a line": Hand(HIDDEN.encode(), DECODE, words="utf_?-?7"),
    "an encoding that is none": Hand(
        b"# coding: rot13\n" + RIGHT.encode(), DECODE, words="rot13"
    ),
    "unicode_escape": Hand(
        b"# coding: unicode_escape\n# \\x0asquare = 1\n" + RIGHT.encode(),
        DECODE,
        words="unicode_escape",
    ),
    "null bytes": Hand(RIGHT.encode() + b"\0", PARSE, words="null byte"),
    "a line end that hides a line": Hand(
        f"# nothing here \rsquare = 1\n{RIGHT}".encode(), LINES, 100
    ),
    "form feeds and line separators": Hand(
        f"x = '\u2028\u2029\x0c\x1c\x85'\n{RIGHT}".encode(), LINES, 100
    ),
    "another encoding behind a mark": Hand(
        b"\xef\xbb\xbf# coding: latin-1\n" + RIGHT.encode(), DECODE
    ),
    "notebook nested too deeply": Hand(
        b'{"nbformat": 4, "cells": [], "metadata": '
        + b'{"a":' * 99_000
        + b"1"
        + b"}" * 99_000
        + b"}",
        LOAD,
        words="nested too deeply|no code cell",
        name="square.ipynb",
    ),
    "notebook with deep outputs": Hand(
        b'{"nbformat": 4, "cells": [{"cell_type": "code", "source": '
        + json.dumps(RIGHT).encode()
        + b', "outputs": '
        + b"[" * 99_000
        + b"]" * 99_000
        + b"}]}",
        LOAD,
        100,
        "nested too deeply",
        name="square.ipynb",
    ),
    "notebook with much output": Hand(
        notebook(RIGHT, blob=["x" * 9] * 900_000), SMALL, 100, name="square.ipynb"
    ),
    "notebook of ten thousand cells": Hand(
        notebook(*["1"] * 10_000, RIGHT),
        CELLS,
        words="10001 cells",
        name="square.ipynb",
    ),
    "notebook with half a character": Hand(
        notebook("x = '\ud800'", RIGHT), PRINT, 100, name="square.ipynb"
    ),
}


@pytest.fixture(scope="module")
def driven(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Driven]:
    bait = Bait(tmp_path_factory.mktemp("bait") / "tools")
    found = Driven("--isolation", probe().level, token=bait.token, course=COURSE)
    yield found
    found.close()
    bait.close()


def taken(driven: Driven, hand: Hand) -> tuple[str, object]:
    """(what intake said, result)."""
    try:
        source, _ = to_source("square", hand.name, hand.data, Limits())
    except IntakeError as e:
        blocked = Submission("someone", blocked={"square": str(e)})
        answer = driven.send(encode(Request("1", blocked, ["square"], "s", {})))
        return str(e), answer.result
    held = Submission("someone", {"square": source})
    answer = driven.send(encode(Request("1", held, ["square"], "s", {})))
    assert answer.wall_s < ANSWER_S
    return "", answer.result


@pytest.mark.parametrize("name", HANDS)
def test_hand_in_that_breaks_tools_is_graded_or_refused_in_words(driven, name):
    hand = HANDS[name]
    start = time.monotonic()
    said, result = taken(driven, hand)
    assert time.monotonic() - start < INTAKE_S + ANSWER_S
    assert result.status == "graded"
    if said:
        assert hand.words
        assert re.search(hand.words, said), said
        assert result.score == 0
        assert all(c.message == said for c in result.exercises["square"].checks)
    else:
        checks = result.exercises["square"].checks
        assert result.score == hand.points, [c.message for c in checks]
        assert all(c.message for c in checks if c.points == 0)
    after = driven.ask(RIGHT)
    assert after.share == 100


@pytest.mark.parametrize("name", HANDS)
def test_naive_tool_stumbles_over_it(name):
    command: list[str] = [sys.executable, "-X", "utf8", "-c", HANDS[name].naive]
    done = subprocess.run(command, input=HANDS[name].data, capture_output=True)
    assert done.returncode != 0 or b"another" in done.stdout


def test_every_naive_tool_takes_an_honest_hand_in():
    book = notebook(RIGHT)
    honest: dict[str, Callable[[], bytes]] = {
        PARSE: RIGHT.encode, VISIT: RIGHT.encode, DECODE: RIGHT.encode,
        LINES: RIGHT.encode, LOAD: lambda: book, PRINT: lambda: book,
        SMALL: lambda: book, CELLS: lambda: book,
    }  # fmt: skip
    for tool, data in honest.items():
        done = subprocess.run(
            [sys.executable, "-X", "utf8", "-c", tool],
            input=data(),
            capture_output=True,
        )
        assert done.returncode == 0, (tool, done.stderr)
        assert b"another" not in done.stdout
