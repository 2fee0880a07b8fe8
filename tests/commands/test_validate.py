"""``validate``: what it proves, and that it complains where it must."""

import json

import pytest


def mistakes_file(course):
    return course / "mistakes" / "plain" / "mistakes.toml"


@pytest.fixture
def fair_course(small_course):
    """The small course with points that keep the rules."""
    suites = small_course / "suites"
    text = (suites / "public_plain.py").read_text(encoding="utf-8")
    text = text.replace("points(20)", "points(15)").replace("points(30)", "points(20)")
    text = text.replace("points(10)", "points(5)").replace("points(40)", "points(10)")
    (suites / "public_plain.py").write_text(text, encoding="utf-8")
    head, checks = text.split("@pytest.mark.points(10)", 1)
    hidden = (
        head + "@pytest.mark.points(10)" + checks.replace("def check_", "def check_h_")
    )
    (suites / "hidden_plain.py").write_text(hidden, encoding="utf-8")
    return small_course


def test_sound_course_ends_with_0(grader, fair_course):
    done = grader("validate", "plain", "--course", fair_course, "--seeds", "1")
    assert "everything holds" in done.stdout, done.stdout + done.stderr
    assert done.returncode == 0
    assert "4/6" in done.stdout
    alike = "one of: refuses_fractions | refuses_small_numbers"
    assert alike in done.stdout


def test_confusion_matrix_says_what_was_named_as_what(grader, fair_course):
    done = grader(
        "validate", "plain", "--course", fair_course, "--seeds", "1", "--json"
    )
    (tally,) = json.loads(done.stdout)["exercises"]
    alike = "refuses_fractions | refuses_small_numbers"
    assert tally["confusion"] == {
        "(reference)": {"": 1},
        "(variants)": {"": 1},
        "(skeleton)": {"": 1},
        "adds_two": {"adds_two": 1},
        "squares": {"squares": 2},
        "first_answer_kept": {"first_answer_kept": 1},
        "refuses_fractions": {alike: 1},
        "refuses_small_numbers": {alike: 1},
    }
    assert (tally["mistakes_named"], tally["mistakes_one_of"]) == (4, 2)
    assert tally["named_falsely"] == 0


def test_mistake_that_passes_what_it_names_is_a_fault(grader, fair_course):
    path = mistakes_file(fair_course)
    text = path.read_text(encoding="utf-8").replace(
        'fails = ["doubles_a_half"]', 'fails = ["doubles_two"]', 1
    )
    path.write_text(text, encoding="utf-8")
    done = grader("validate", "plain", "--course", fair_course, "--json")
    assert done.returncode == 1
    faults = json.loads(done.stdout)["exercises"][0]["faults"]
    assert any("mistake adds_two passes doubles_two" in f for f in faults)


def test_style_that_is_not_named_as_its_mistake_is_a_fault(grader, fair_course):
    path = mistakes_file(fair_course)
    text = path.read_text(encoding="utf-8").replace(
        'styles.of_anything = ["doubles_a_half",',
        'styles.of_anything = ["doubles_two",',
    )
    path.write_text(text, encoding="utf-8")
    done = grader("validate", "plain", "--course", fair_course, "--json")
    faults = json.loads(done.stdout)["exercises"][0]["faults"]
    assert any("squares__of_anything passes doubles_two" in f for f in faults)
    assert any("squares__of_anything is not named squares" in f for f in faults)


def test_points_that_do_not_sum_up_are_a_fault(grader, small_course):
    done = grader("validate", "plain", "--course", small_course, "--json")
    faults = json.loads(done.stdout)["exercises"][0]["faults"]
    assert any("public checks are worth 100 of 100" in f for f in faults)


def test_outside_variants_are_judged_from_their_manifest(grader, fair_course, tmp_path):
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "a.py").write_text("def double(x):\n    return x * 2\n")
    (folder / "b.py").write_text("def double(x):\n    return x * x\n")
    entries = [
        {"path": "a.py", "exercise": "plain", "expect": "pass", "why": "right"},
        {"path": "b.py", "exercise": "plain", "expect": "fail", "why": "squares"},
        {"path": "b.py", "exercise": "plain", "expect": "pass", "why": "a lie"},
    ]
    (folder / "manifest.json").write_text(json.dumps(entries))
    done = grader("validate", "--course", fair_course, "--extra", folder)
    assert done.returncode == 1
    assert "3 variants: 0 false passes, 1 false fails" in done.stdout
    assert "FALSE FAIL" in done.stdout


def test_manifest_that_is_missing_is_one_sentence(grader, fair_course, tmp_path):
    done = grader("validate", "--course", fair_course, "--extra", tmp_path)
    assert done.returncode == 2
    assert "manifest.json does not exist" in done.stderr
