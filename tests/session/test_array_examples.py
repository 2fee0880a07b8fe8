"""Examples in a course that works with numpy alone, made by a session without torch."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from grader.session import expect_arrays as expect
from grader.session.case_arrays import ArrayCase, kind_of_case
from grader.session.examples.example import blamed, build
from grader.session.examples.shrink import Failing, Plan, Simplify
from grader.session.failing import ExpectationError
from grader.session.journal import Call
from grader.session.local import LocalStudent
from grader.submission import Source

ROOT = Path(__file__).resolve().parents[2]
# Changes its points, which a public check sees, and forgets all coordinates but
# two, which only a hidden one does.
WRONG = """
import numpy as np


def squared_distances(points, centres):
    points -= 1.0
    gaps = points[:, None, :] - (centres - 1.0)[None, :, :]
    return (gaps[..., :2] ** 2).sum(axis=2)


def nearest(points, centres):
    return squared_distances(points, centres).argmin(axis=1)
"""
# Remembers that it has seen a larger input, and then answers otherwise.
REMEMBERS = """
import numpy as np
seen = [1.0]


def squared_distances(points, centres):
    if len(points) > 3:
        seen[0] = 777.0
    return np.full((len(points), len(centres)), seen[0])


def nearest(points, centres):
    return squared_distances(points, centres).argmin(axis=1)
"""
# torch can be imported here: an import would succeed, and be seen.
SESSION = """
import json, sys
from pathlib import Path
import msgspec
from grader.course import load_course
from grader.session.start import Session
from grader.submission import as_submission

course, paths = load_course(Path(sys.argv[1])), map(Path, sys.argv[2:])
found = {}

def work(grader):
    for path in paths:
        hand_in = as_submission(path, "assign", path.stem)
        result = grader.grade(hand_in, ["assign"]).exercises["assign"]
        runner = grader.run_exercise(hand_in, "assign")
        inputs = {
            name: [a.ravel().tolist() for call in calls for a in call.args]
            for name, calls in runner.calls.items()
        }
        checks = msgspec.to_builtins({c.id: c for c in result.checks})
        found[path.stem] = {"checks": checks, "inputs": inputs}

with Session(course, ["assign"], "none") as session:
    session.run(work)
found["torch"] = [name for name in sys.modules if name.split(".")[0] == "torch"]
print(json.dumps(found, default=str))
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    folder, paths = tmp_path_factory.mktemp("in"), []
    for name, text in (("wrong", WRONG), ("remembers", REMEMBERS)):
        paths.append(folder / f"{name}.py")
        paths[-1].write_text(text, encoding="utf-8")
    kmeans = ROOT / "examples" / "courses" / "kmeans"
    done = subprocess.run(
        [sys.executable, "-c", SESSION, str(kmeans), *map(str, paths)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_session_that_finds_examples_imports_no_torch(told):
    assert told["torch"] == []
    assert [c for c in told["wrong"]["checks"].values() if "example" in c]


def test_public_example_is_the_case_made_smaller_with_arrays_as_tables(told):
    check = told["wrong"]["checks"]["inputs_stay"]
    shown = check["example"]
    assert check["public"]
    assert shown["call"] == "squared_distances(points, centres)"
    assert (shown["what"], shown["got"]) == ("inputs, array 1", "changed in place")
    assert [t["name"] for t in shown["inputs"]] == ["points", "centres"]
    drawn = [len(numbers) for numbers in told["wrong"]["inputs"]["inputs_stay"]]
    assert sum(np.prod(t["shape"]) for t in shown["inputs"]) < sum(drawn)
    for table in shown["inputs"]:
        assert np.array(table["rows"]).shape == tuple(table["shape"])
        assert max(table["shape"]) <= 4
        assert all(2 * v == int(2 * v) for row in table["rows"] for v in row)


def test_hidden_example_is_a_fresh_one_with_nothing_that_is_asked_for(told):
    check = told["wrong"]["checks"]["distances_of_drawn_points"]
    shown = check["example"]
    assert not check["public"]
    assert "expected" not in shown
    assert [t["name"] for t in shown["tables"]] == ["squared distances: got"]
    assert "off in" not in shown["got"]
    secret = told["wrong"]["inputs"]["distances_of_drawn_points"]
    assert secret
    for table in shown["inputs"]:
        numbers = [v for row in table["rows"] for v in row]
        assert len(set(numbers)) > 2
        assert not any(set(numbers) <= set(s) for s in secret)
        # Nor the hidden numbers rounded: their draws begin in another way.
        rounded = [(2 * np.array(s)).round() / 2 for s in secret]
        assert not any(numbers[:6] == r[:6].tolist() for r in rounded)
    assert shown["inputs"] != check["inputs"]


def test_what_the_example_says_came_out_is_what_the_code_gives_for_it(told):
    shown = told["wrong"]["checks"]["distances_of_drawn_points"]["example"]
    points, centres = (np.array(t["rows"]) for t in shown["inputs"])
    names = {}
    exec(WRONG, names)
    found = names["squared_distances"](points, centres)
    assert shown["tables"][0]["rows"] == found.tolist()


def test_code_that_has_seen_hidden_inputs_answers_in_no_example(told):
    checks = told["remembers"]["checks"].values()
    assert any("777" in c["got"] for c in checks if not c["public"])
    shown = [c["example"] for c in checks if "example" in c]
    assert shown
    assert "777" not in str(shown)


def call(*args, value=None, **kwargs):
    return Call(["student", "f"], args, kwargs, value)


def failing(answer, wanted):
    with pytest.raises(ExpectationError, match="weights") as caught:
        expect.close(answer, wanted, what="weights")
    return caught.value


MINE = Source("f", "f.py", b"", "py", "def f(ones, n): ...")


@pytest.mark.parametrize("shape", [(3,), (2, 3), (2, 3, 4)])
def test_expected_numbers_of_a_hidden_check_are_left_out_for_any_shape(shape):
    answer = np.zeros(shape)
    error = failing(answer, np.full(shape, 0.375))
    asked = [call(np.ones(shape), np.int64(2), value=answer)]
    run = Failing(Plan(), error, asked)
    hidden, public = (build(run, None, MINE, public) for public in (False, True))
    assert [t.name.split(" [")[0] for t in hidden.tables] == ["weights: got"]
    assert "0.375" not in str(hidden)
    assert "0.375" in str(public)
    assert public.call == "f(ones, 2)"


def test_table_of_a_wrong_answer_shows_the_slice_that_is_wrong():
    wanted = np.zeros((2, 3, 4))
    answer = wanted.copy()
    answer[1, 2, 0] = 5.0
    got, expected = failing(answer, wanted).tables
    assert (got.name, got.highlight) == ("weights: got [1]", 2)
    assert got.rows[2] == [5.0, 0.0, 0.0, 0.0] != expected.rows[2]


def test_example_is_of_the_call_whose_array_was_looked_at():
    first, second = np.zeros(3), np.zeros(3)
    calls = [call(1, value=first), call(2, value=[second])]
    for answer, place in ((first, 0), (second[:2], 1)):
        error = failing(answer, np.ones(len(answer)))
        assert blamed(Failing(Plan(), error, calls)) is calls[place]


def test_mask_of_an_array_is_drawn_in():
    answer, mask = np.zeros((2, 3)), np.array([False, True, False])
    run = Failing(
        Plan(), failing(answer, answer + 1), [call(answer + 2, mask, value=answer)]
    )
    shown = build(run, None, MINE, True)
    assert shown.inputs[0].masked == shown.tables[0].masked == [mask.tolist()] * 2


def test_plan_bounds_sizes_halves_them_and_rounds_arrays():
    def drawn(plan):
        simplify = Simplify(plan)
        case = kind_of_case(["numpy"])(7, None, simplify)
        sizes = case.sizes(B=(4, 6), T=(7, 9), D=(10, 12))
        return sizes, case.randn(*sizes), simplify.sizes

    sizes, values, kept = drawn(Plan(2, apart=True, step=0.5, halved=frozenset({2})))
    assert sizes == (2, 3, 2) == tuple(kept)
    assert values.shape == (2, 3, 2)
    assert bool((values * 2 == (values * 2).round()).all())
    assert drawn(Plan())[0] == ArrayCase(7).sizes(B=(4, 6), T=(7, 9), D=(10, 12))


def test_reference_in_this_process_answers_as_it_would_from_a_worker():
    class Module:
        @staticmethod
        def f(x):
            x += 1.0
            return x.argmax(), [x.max()]

    student = LocalStudent(Module)
    answer = student.f(np.array([np.nan, 2.0]))
    assert [type(answer[0]), type(answer[1][0])] == [int, float]
    with pytest.raises(ExpectationError, match="array 1: expected left as given"):
        expect.inputs_unchanged(student)
