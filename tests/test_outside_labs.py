"""Outside answers of the labs, by all checks that train nothing.

Training every right one takes minutes: `make validate EX=copy_reverse
EXTRA=tests/outside` does it.
"""

import json
from collections import Counter

import pytest

from grader.course import load_course
from grader.results import Outcome
from grader.session.start import Session
from grader.submission import as_submission

LABS = ("adding_problem", "copy_reverse")
PASS_LEAST, FAIL_LEAST = 4, 6


@pytest.fixture(scope="module")
def folder(root):
    return root / "tests" / "outside"


@pytest.fixture(scope="module")
def entries(folder):
    every = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    return [e for e in every if e["exercise"] in LABS]


@pytest.fixture(scope="module")
def failed(root, folder, entries):
    """The first check that each answer does not pass, by path; None: it passes all."""
    found = {}

    def work(grader):
        grader.use("outside", {})
        for entry in entries:
            name = entry["exercise"]
            submission = as_submission(folder / entry["path"], name)
            graded = grader.run_exercise(
                submission, name, labs=False, until_failure=True
            )
            last = graded.result.checks[-1]
            passed = last.outcome is Outcome.PASSED
            found[entry["path"]] = None if passed else last.id

    with Session(load_course(root), list(LABS), "none") as session:
        session.run(work)
    return found


def test_every_lab_has_right_and_wrong_answers(entries):
    counts = Counter((e["exercise"], e["expect"]) for e in entries)
    for lab in LABS:
        assert counts[lab, "pass"] >= PASS_LEAST
        assert counts[lab, "fail"] >= FAIL_LEAST


@pytest.mark.slow
def test_right_answers_pass_what_needs_no_training(entries, failed):
    right = [e["path"] for e in entries if e["expect"] == "pass"]
    assert {path: failed[path] for path in right} == dict.fromkeys(right)


@pytest.mark.slow
def test_wrong_answers_fail_before_any_training(entries, failed):
    wrong = [e["path"] for e in entries if e["expect"] == "fail"]
    assert [path for path in wrong if failed[path] is None] == []
