"""``check``: exit codes and what a student reads."""

import json

RIGHT = "def double(x):\n    return x + x\n"
UNWRITTEN = "def double(x):\n    raise NotImplementedError('double (TODO 1 of 1)')\n"


def write(course, text):
    (course / "exercises" / "plain.py").write_text(text, encoding="utf-8")


def test_right_exercise_ends_with_0_and_says_so(grader, small_course):
    write(small_course, RIGHT)
    done = grader("check", "plain", "--course", small_course)
    assert done.returncode == 0, done.stderr
    assert "public: 4 of 4" in done.stdout
    assert "hidden checks decide the rest" in done.stdout
    assert done.stderr == ""


def test_unwritten_skeleton_ends_with_1_and_no_traceback(grader, small_course):
    write(small_course, UNWRITTEN)
    done = grader("check", "plain", "--course", small_course)
    assert done.returncode == 1
    assert "not written yet" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


def test_unknown_name_ends_with_2_and_offers_near_ones(grader, small_course):
    done = grader("check", "plian", "--course", small_course)
    assert done.returncode == 2
    assert "unknown exercise 'plian'; did you mean: plain?" in done.stderr


def test_json_is_one_result_and_nothing_else(grader, small_course):
    write(small_course, "def double(x):\n    return x * 3\n")
    done = grader("check", "plain", "--course", small_course, "--json")
    assert done.returncode == 1
    result = json.loads(done.stdout)
    assert result["schema"] == 1
    assert result["exercises"]["plain"]["score"] == "0"


def test_folder_without_course_is_one_sentence(grader, tmp_path):
    done = grader("check", "--course", tmp_path / "nowhere")
    assert done.returncode == 2
    assert "has no course.toml" in done.stderr
    assert done.stderr.count("\n") == 1


def test_unknown_option_is_one_sentence_and_a_way_on(grader):
    done = grader("check", "--nonsense")
    assert done.returncode == 2
    assert "No such option" in done.stderr
    assert "Traceback" not in done.stderr


def test_untouched_course_says_where_to_start(grader, root):
    done = grader("check", "--course", root)
    assert done.returncode == 1
    assert "exercises are written so far" in done.stdout
    assert "make check EX=" in done.stdout
