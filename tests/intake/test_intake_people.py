"""Whose files these are, where folders alone do not say it."""

import pytest
from handins import FORGET, SOFTMAX, write, zip_bytes

BY_PERSON = {"alice/masked_softmax.py": SOFTMAX, "bob/forget_bias.py": FORGET}
BY_EXERCISE = {
    "masked_softmax/lee.py": SOFTMAX,
    "masked_softmax/kim.py": b"# kim\n" + SOFTMAX,
    "forget_bias/lee.py": FORGET,
    "forget_bias/kim.py": b"# kim\n" + FORGET,
}


def below(folder, files):
    return {f"{folder}/{name}": data for name, data in files.items()}


def answers(intake):
    return {s.id: {n: f.path for n, f in s.files.items()} for s in intake.submissions}


@pytest.fixture(params=["zip", "folder"])
def read(request, tmp_path, take):
    """Read the same files from a zip called week1, and from a folder."""

    def read(files, **options):
        if request.param == "folder":
            return take(write(tmp_path / "disk", files), **options)
        write(tmp_path, {"week1.zip": zip_bytes(files)})
        return take(tmp_path / "week1.zip", **options)

    return read


def test_people_in_a_wrapper_with_different_exercises_stay_apart_with_a_note(read):
    intake = read(below("week1", BY_PERSON))
    assert answers(intake) == {
        "alice": {"masked_softmax": "masked_softmax.py"},
        "bob": {"forget_bias": "forget_bias.py"},
    }
    assert intake.warnings == [
        "Each folder in week1/ (alice, bob) is taken for a student; --layout single "
        "makes them one hand-in."
    ]


def test_people_with_the_same_exercise_need_no_note(read):
    intake = read(below("week1", {f"{w}/masked_softmax.py": SOFTMAX for w in "ab"}))
    assert (list(answers(intake)), intake.warnings) == (["a", "b"], [])


@pytest.mark.parametrize("parts", [("p1", "p2"), ("hw 1", "hw 2"), ("lib", "src")])
def test_parts_of_one_hand_in_stay_together_with_a_warning(read, parts):
    first, second = parts
    files = {f"lee/{first}/masked_softmax.py": SOFTMAX}
    intake = read({**files, f"lee/{second}/forget_bias.py": FORGET})
    (one,) = intake.submissions
    assert list(one.files) == ["masked_softmax", "forget_bias"]
    assert one.warnings[-1] == (
        f"The folders in lee/ ({first}, {second}) are taken for parts of one hand-in, "
        "not for students."
    )


def test_a_whole_clone_is_one_hand_in(read):
    files = {f"{f}/masked_softmax.py": SOFTMAX for f in ("exercises", "solutions")}
    (one,) = read(below("lee", files)).submissions
    assert list(one.files) == ["masked_softmax"]
    assert any("and not" in warning for warning in one.warnings)


@pytest.mark.parametrize("wrap", [False, True])
def test_exercise_folders_with_peoples_files_are_cut_by_person(read, wrap):
    intake = read(below("week1", BY_EXERCISE) if wrap else BY_EXERCISE)
    assert intake.layout == "exercises"
    assert answers(intake) == {
        who: {
            "masked_softmax": f"masked_softmax/{who}.py",
            "forget_bias": f"forget_bias/{who}.py",
        }
        for who in ("kim", "lee")
    }
    assert all(s.warnings == [] for s in intake.submissions)
    assert intake.warnings[0].startswith("The folders are called like exercises")
    assert "(kim, lee)" in intake.warnings[0]


def test_exercise_folders_with_peoples_folders_and_archives(read):
    files = {
        "masked_softmax/lee/main.py": SOFTMAX,
        "masked_softmax/kim.zip": zip_bytes({"masked_softmax.py": SOFTMAX}),
        "masked_softmax/zoe_masked_softmax.py": SOFTMAX,
        "masked_softmax/notes.txt": b"",
    }
    intake = read(files)
    found = answers(intake)
    assert intake.warnings[-1].endswith(": masked_softmax/notes.txt.")
    assert sorted(found) == ["kim", "lee", "zoe"]
    assert all(list(f) == ["masked_softmax"] for f in found.values())


@pytest.mark.parametrize("helper", ["utils.py", "main.py", "test_it.py", "notes.txt"])
def test_exercise_folders_of_one_student_stay_one_hand_in(read, helper):
    files = {"masked_softmax/masked_softmax.py": SOFTMAX, "forget_bias/mine.py": FORGET}
    intake = read({**files, f"masked_softmax/{helper}": b""})
    (one,) = intake.submissions
    assert list(one.files) == ["masked_softmax", "forget_bias"]


def test_layout_single_makes_one_hand_in_of_what_was_guessed(read):
    assert len(read(BY_EXERCISE, layout="single").submissions) == 1
    assert len(read(below("w", BY_PERSON), layout="single").submissions) == 1


def test_of_several_paths_each_stays_a_student(tmp_path, take):
    lee = write(tmp_path / "lee", below("hw", BY_PERSON))
    write(tmp_path, {"kim.zip": zip_bytes(below("hw", BY_PERSON))})
    intake = take(lee, tmp_path / "kim.zip")
    assert sorted(answers(intake)) == ["kim", "lee"]
    assert all(len(s.files) == 2 for s in intake.submissions)
