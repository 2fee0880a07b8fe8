"""Which file is meant for which exercise, and that every guess is told."""

import os

import pytest
from handins import EXERCISES, FORGET, SOFTMAX, notebook, write

from grader.intake import names, read
from grader.intake.limits import Limits

MORE = [*EXERCISES, "lstm_cell", "lstm_jacobian", "attention_scores"]


@pytest.mark.parametrize(
    ("name", "exercise", "level"),
    [
        ("masked_softmax.py", "masked_softmax", names.EXACT),
        ("masked_softmax.ipynb", "masked_softmax", names.EXACT),
        ("Masked_Softmax.py", "masked_softmax", names.CASE),
        ("masked-softmax.PY", "masked_softmax", names.CASE),
        ("masked softmax.py", "masked_softmax", names.CASE),
        ("maskedSoftmax.py", "masked_softmax", names.CASE),
        ("masked_softmax.py.txt", "masked_softmax", names.CASE),
        ("Masked_Softmax (1).py", "masked_softmax", names.COPY),
        ("masked_softmax-2.py", "masked_softmax", names.COPY),
        ("masked_softmax2.py", "masked_softmax", names.COPY),
        ("Copy of masked_softmax.py", "masked_softmax", names.COPY),
        ("masked_softmax_final_v2.py", "masked_softmax", names.COPY),
        ("masked_softmax - 副本.py", "masked_softmax", names.COPY),
        ("lee_masked_softmax.py", "masked_softmax", names.PART),
        ("masked_sofmax.py", "masked_softmax", names.NEAR),
        ("packed_lsmt.ipynb", "packed_lstm", names.NEAR),
        ("lstm_jacobain.py", "lstm_jacobian", names.NEAR),
    ],
)
def test_name_means_one_exercise(name, exercise, level):
    found = names.match(name, MORE)
    assert found is not None
    assert (found.exercises, found.level) == ((exercise,), level)


@pytest.mark.parametrize(
    "name", ["softmax.py", "hw.ipynb", "lstm.py", "2.py", "final.py"]
)
def test_name_that_says_nothing_is_not_guessed(name):
    assert names.match(name, MORE) is None


def test_name_with_a_number_of_its_own_is_exact():
    found = names.match("lab_2.py", ["lab", "lab_2"])
    assert found is not None
    assert (found.exercises, found.level) == (("lab_2",), names.EXACT)


@pytest.mark.parametrize(
    ("name", "student"),
    [
        ("lee_masked_softmax.py", "lee"),
        ("masked_softmax_Lee Ann.py", "Lee Ann"),
        ("masked_softmax_s17.py", "s17"),
        ("masked_softmax_20230012.py", "20230012"),
        ("griffin_masked_softmax_2.py", "griffin"),
    ],
)
def test_rest_of_a_name_is_the_student(name, student):
    found = names.match(name, EXERCISES)
    assert found is not None
    assert found.rest == student


def test_ambiguous_name_is_listed_and_not_used(tmp_path, only):
    write(tmp_path / "lee", {"packed_lstm_forget_bias.py": "x = 1\n", "a.txt": ""})
    found = only(tmp_path)
    assert found.files == {}
    assert found.unused == ["a.txt", "packed_lstm_forget_bias.py"]
    assert (
        "packed_lstm_forget_bias.py could be forget_bias or packed_lstm; rename it."
        in found.warnings
    )


def test_renamed_file_is_used_with_a_warning(tmp_path, only):
    write(tmp_path / "lee", {"Masked_Softmax (1).py": SOFTMAX})
    found = only(tmp_path)
    assert found.files["masked_softmax"].path == "Masked_Softmax (1).py"
    assert found.warnings == [
        "Masked_Softmax (1).py is taken for masked_softmax: the rest of the name looks "
        "like a copy mark."
    ]


def test_exact_name_goes_before_a_copy_and_says_so(tmp_path, only):
    files = {"masked_softmax.py": SOFTMAX, "masked_softmax-2.py": SOFTMAX + b"#2\n"}
    found = only(write(tmp_path, files))
    assert found.files["masked_softmax"].path == "masked_softmax.py"
    assert found.unused == ["masked_softmax-2.py"]
    assert found.warnings == [
        "masked_softmax: masked_softmax.py is used and not masked_softmax-2.py, "
        "because its name fits better."
    ]


def test_written_copy_goes_before_an_unwritten_skeleton(tmp_path, only):
    skeleton = b"def masked_softmax(s, m):\n    raise NotImplementedError('TODO')\n"
    files = {"masked_softmax.py": skeleton, "masked_softmax (1).py": SOFTMAX}
    found = only(write(tmp_path, files))
    assert found.files["masked_softmax"].path == "masked_softmax (1).py"
    assert "because the other is not written yet" in found.warnings[-1]


def test_newest_of_equally_good_names_wins(tmp_path, only):
    write(
        tmp_path / "lee",
        {"masked_softmax-1.py": SOFTMAX, "masked_softmax-2.py": FORGET},
    )
    os.utime(tmp_path / "lee/masked_softmax-1.py", (2e9, 2e9))
    os.utime(tmp_path / "lee/masked_softmax-2.py", (1e9, 1e9))
    found = only(tmp_path)
    assert found.files["masked_softmax"].path == "masked_softmax-1.py"
    assert found.warnings[-1].endswith("because it is the newest.")


def test_unusable_file_gives_way_to_a_usable_one(tmp_path, only):
    files = {"masked_softmax.py": b"x = 1\0", "masked_softmax (1).py": SOFTMAX}
    found = only(write(tmp_path, files))
    assert found.files["masked_softmax"].path == "masked_softmax (1).py"
    assert found.blocked == {}
    assert any("null byte" in w for w in found.warnings)


def test_unusable_file_alone_blocks_its_exercise_only(tmp_path, only):
    found = only(write(tmp_path, {"masked_softmax.py": b"", "forget_bias.py": FORGET}))
    assert found.blocked == {
        "masked_softmax": "masked_softmax.py is empty (0 bytes); hand in the one with "
        "answers."
    }
    assert list(found.files) == ["forget_bias"]
    assert found.error == ""


def test_folder_named_like_an_exercise_lends_its_name(tmp_path, only):
    write(
        tmp_path / "lee", {"masked_softmax/main.py": SOFTMAX, "forget_bias/a.txt": ""}
    )
    found = only(tmp_path)
    assert found.files["masked_softmax"].path == "masked_softmax/main.py"
    assert found.warnings == [
        "masked_softmax/main.py is taken for masked_softmax: its folder is named like "
        "the exercise.",
        "Not used: forget_bias/a.txt.",
    ]
    assert found.unused == ["forget_bias/a.txt"]


def test_empty_folder_with_a_file_name_is_told(tmp_path, only):
    (tmp_path / "lee" / "masked_softmax.py").mkdir(parents=True)
    found = only(tmp_path)
    message = "masked_softmax.py is an empty folder, not a file; hand in the file."
    assert found.blocked == {"masked_softmax": message}


def test_file_in_a_folder_with_a_file_name_is_found(tmp_path, only):
    write(tmp_path / "lee", {"masked_softmax.py/masked_softmax.py": SOFTMAX})
    found = only(tmp_path)
    assert found.files["masked_softmax"].path == "masked_softmax.py/masked_softmax.py"


def test_students_own_tests_are_not_taken_for_answers(tmp_path, only):
    write(tmp_path / "lee", {"test_masked_softmax.py": b"x = 1\n", "a.py": b"y = 1\n"})
    found = only(tmp_path)
    assert found.files == {}
    assert found.unused == ["a.py", "test_masked_softmax.py"]


def test_one_notebook_answers_everything_that_it_defines(tmp_path, only):
    cells = [SOFTMAX.decode(), "class BahdanauAttention(nn.Module):\n    pass"]
    write(
        tmp_path / "lee", {"homework.ipynb": notebook(*cells), "forget_bias.py": FORGET}
    )
    found = only(tmp_path)
    assert {e: s.path for e, s in found.files.items()} == {
        "forget_bias": "forget_bias.py",
        "masked_softmax": "homework.ipynb",
        "bahdanau_attention": "homework.ipynb",
    }
    assert found.files["bahdanau_attention"].exercise == "bahdanau_attention"
    assert found.warnings == [
        "homework.ipynb is taken for masked_softmax, bahdanau_attention: it defines "
        "what the exercise asks for."
    ]


def test_lone_file_of_any_name_answers_a_lone_exercise(tmp_path):
    path = write(tmp_path, {"lee.py": b"def other():\n    pass\n"}) / "lee.py"
    (found,) = read([path], ["masked_softmax"]).submissions
    assert found.id == "lee"
    assert list(found.files) == ["masked_softmax"]
    assert len(found.warnings) == 1


def test_files_that_are_no_exercises_are_listed(tmp_path, only):
    files = {
        "masked_softmax.py": SOFTMAX,
        "conftest.py": b"x = 1\n",
        "pytest.ini": "",
        "data/a.csv": "",
        "__pycache__/masked_softmax.cpython-311.pyc": b"x",
    }
    write(tmp_path / "lee", files)
    found = only(tmp_path)
    assert sorted(found.unused) == [
        "__pycache__/",
        "conftest.py",
        "data/a.csv",
        "pytest.ini",
    ]


def test_hand_in_without_any_exercise_is_a_row_that_says_so(tmp_path, only):
    found = only(write(tmp_path, {"lee/notes.txt": "ill"}))
    assert (found.files, found.error) == ({}, "")
    assert found.warnings == [
        "No file of it is named like an exercise: it holds notes.txt."
    ]


def test_too_many_files_are_cut_with_a_warning(tmp_path, only):
    write(tmp_path / "lee", {f"d/{i}.txt": "" for i in range(30)})
    write(tmp_path / "lee", {"masked_softmax.py": SOFTMAX})
    found = only(tmp_path, limits=Limits(files=20))
    assert "masked_softmax" in found.files
    assert any("only 20 of them are looked at" in w for w in found.warnings)


def test_what_is_not_used_is_one_warning_unless_another_one_names_it(tmp_path, only):
    files = {f"data/{n}.csv": "1" for n in range(9)}
    files |= {"masked_softmax.py": SOFTMAX, "masked_softmax (2).py": SOFTMAX}
    found = only(
        write(tmp_path / "lee", {**files, "__pycache__/x.pyc": "", "b.pyc": ""})
    )
    (warning,) = [w for w in found.warnings if w.startswith("Not used")]
    named = ", ".join(f"data/{n}.csv" for n in range(8))
    assert warning == f"Not used: {named} and 1 more."


def test_nothing_is_said_of_unused_files_when_all_are_used(tmp_path, only):
    found = only(
        write(tmp_path / "lee", {"masked_softmax.py": SOFTMAX, ".DS_Store": ""})
    )
    assert found.warnings == []
