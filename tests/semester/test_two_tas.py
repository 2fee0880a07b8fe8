"""Two people with one gradebook at once: real processes, nothing is lost."""

import subprocess
import sys
from pathlib import Path

import pytest
from gradings import check, exercise, result, submission, tiny_course

from grader.gradebook import Gradebook
from grader.report.clean import clean_line
from grader.results import Outcome

SUPPORT = Path(__file__).parents[1] / "support"
TURNS = 6
WAIT_S = 120
# One TA: a decision, its pages, and the next.
TA = """
import sys
from pathlib import Path
from grader.commands import adjust, comment

root, out, name, turns = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], sys.argv[4]
print("ready", flush=True)
sys.stdin.readline()
for turn in range(int(turns)):
    common = dict(root=root, out=out, submission="s1", exercise="add")
    if turn % 2:
        adjust.run(adjust.Options(**common, points="+0.5", reason=f"{name} {turn}"))
    else:
        comment.run(comment.Options(**common, text=f"{name} {turn}"))
"""


@pytest.fixture
def out(tmp_path):
    tiny_course(tmp_path / "course", ("add",))
    (tmp_path / "out").mkdir()
    with Gradebook.open(tmp_path / "out" / "gradebook.sqlite") as book:
        run = book.begin_run()
        checks = [check("one", "20"), check("two", "80", Outcome.FAILED)]
        book.record(run, result("s1", {"add": exercise("k", checks)}), submission("s1"))
    return tmp_path / "out"


def test_two_tas_at_once_lose_nothing(out):
    command = [sys.executable, "-c", TA, str(out.parent / "course"), str(out)]
    tas = [
        subprocess.Popen(
            [*command, name, str(TURNS)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for name in ("Nora", "Olu")
    ]
    for ta in tas:
        assert ta.stdout.readline() == "ready\n"
    for ta in tas:  # both have imported everything: they start together
        ta.stdin.write("go\n")
        ta.stdin.flush()
    for ta in tas:
        _, errors = ta.communicate(timeout=WAIT_S)
        assert ta.returncode == 0, errors
    with Gradebook.open(out / "gradebook.sqlite") as book:
        reasons = [d.reason for d in book.log() if d.kind == "adjust"]
        texts = [d.value["text"] for d in book.log() if d.kind == "comment"]
        score = book.current("s1").score
        line = next(book.lines())
    for name in ("Nora", "Olu"):
        assert [r for r in reasons if name in r] == [
            f"{name} {n}" for n in range(1, TURNS, 2)
        ]
        assert [t for t in texts if name in t] == [
            f"{name} {n}" for n in range(0, TURNS, 2)
        ]
    assert score == 20 + TURNS / 2
    # Whoever wrote last, the files show what both decided.
    page = (out / "reports" / "student" / "s1.html").read_text(encoding="utf-8")
    assert not [text for text in texts if clean_line(f"Comment: {text}") not in page]
    assert (out / "results.jsonl").read_bytes() == line + b"\n"


def test_page_that_a_killed_command_left_behind_is_written_by_the_next(out):
    """Decided, but no page written: what a kill between the two leaves."""
    from grader.commands import comment
    from grader.gradebook import New

    options = {"root": out.parent / "course", "out": out, "submission": "s1"}
    comment.run(comment.Options(**options, exercise="add", text="first"))
    with Gradebook.open(out / "gradebook.sqlite") as book:
        run = book.begin_run()
        book.record(run, result("s2"), submission("s2"))
        book.decide(New("comment", "c", {"text": "lost"}, "s2", "add"))
    comment.run(comment.Options(**options, exercise="add", text="second"))
    page = (out / "reports" / "ta" / "s2.html").read_text(encoding="utf-8")
    assert "Comment: lost" in page
