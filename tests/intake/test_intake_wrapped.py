"""A class in a folder of its own, a download that was cut, an old ``--out``."""

import os

import pytest
from handins import FORGET, SOFTMAX, tar_bytes, write, zip_bytes

CLASS = {
    f"class/{who}/masked_softmax.py": SOFTMAX + who.encode()
    for who in ("ann", "bob", "cid")
}


def ids(intake):
    return [s.id for s in intake.submissions]


@pytest.fixture
def download(tmp_path, take):
    """Read bytes as an archive with a name; keywords go to ``take``."""

    def download(data, name="x.zip", **options):
        write(tmp_path, {name: data})
        return take(tmp_path / name, **options)

    return download


# -- which folders are students ---------------------------------------------


@pytest.mark.parametrize("stray", ["check.py", "zed_masked_softmax.py", "old.zip"])
def test_stray_file_makes_no_single_hand_in_of_a_wrapped_class(download, stray):
    data = zip_bytes({"old.py": b"x = 1"}) if stray == "old.zip" else SOFTMAX
    intake = download(zip_bytes(CLASS | {f"class/{stray}": data}))
    assert {"ann", "bob", "cid"} < set(ids(intake))
    assert intake.layout == "folders"


def test_class_beside_a_stray_file_is_owned_up_to(download):
    intake = download(zip_bytes(CLASS | {"class/check.py": b"x = 1"}))
    assert intake.warnings == [
        "Each folder in class/ (ann, bob, cid) is taken for a student; --layout single "
        "makes them one hand-in."
    ]


def test_of_several_archives_each_is_a_student_sooner_than_a_class(tmp_path, take):
    files = {f"{n}/masked_softmax.py": SOFTMAX for n in ("mine", "saved", "src")}
    data = zip_bytes({f"repo/{n}": d for n, d in files.items()} | {"repo/x.py": b"x"})
    write(tmp_path, {"lee.zip": data, "kim.zip": data})
    assert ids(take(tmp_path / "lee.zip", tmp_path / "kim.zip")) == ["kim", "lee"]


@pytest.mark.parametrize("tries", [("v1", "v2"), ("try 1", "mine"), ("old", "mine")])
def test_versions_of_one_persons_program_stay_one_hand_in(download, tries):
    files = {f"lee/{name}/masked_softmax.py": SOFTMAX for name in tries}
    intake = download(zip_bytes(files | {"lee/play.py": b"x = 1"}), "lee.zip")
    assert ids(intake) == ["lee"]
    assert any("parts of one hand-in, not" in w for w in intake.submissions[0].warnings)


@pytest.mark.parametrize("wrapper", ["", "class/", "a/b/"])
def test_forced_folders_begin_where_the_students_do(download, wrapper):
    files = {f"{wrapper}{who}/hw/main.py": SOFTMAX for who in ("ann", "bob")}
    intake = download(zip_bytes(files), layout="folders")
    assert ids(intake) == ["ann", "bob"]


def test_forced_folders_see_a_class_of_different_exercises(download):
    files = {"class/ann/masked_softmax.py": SOFTMAX, "class/bob/forget_bias.py": FORGET}
    intake = download(zip_bytes(files | {"class/check.py": b"x = 1"}), layout="folders")
    assert {"ann", "bob"} < set(ids(intake))


def test_forced_folders_of_one_student_are_not_looked_into(download):
    files = {"lee/p1/masked_softmax.py": SOFTMAX, "lee/p2/forget_bias.py": FORGET}
    assert ids(download(zip_bytes(files), layout="folders")) == ["lee"]


# -- sections -----------------------------------------------------------------------


SECTIONS = {
    f"{place}/masked_softmax.py": SOFTMAX + place.encode()
    for place in ("mon/ann", "mon/bob", "tue/cid", "tue/dan")
}


@pytest.mark.parametrize("wrapper", ["", "class/"])
def test_folders_of_sections_are_no_students(download, wrapper):
    junk = {"__MACOSX/mon/ann/._masked_softmax.py": b"x", "tue/notes.txt": b"x"}
    files = {wrapper + name: data for name, data in (SECTIONS | junk).items()}
    intake = download(zip_bytes(files))
    assert ids(intake) == ["ann", "bob", "cid", "dan"]
    assert intake.summary == "Sections with a folder per student, 4 students"
    assert "tue/notes.txt" in intake.warnings[0]


@pytest.mark.parametrize("parts", [("hw1", "hw2"), ("mine", "given"), ("a", "a b")])
def test_parts_that_are_called_alike_in_each_folder_make_no_sections(download, parts):
    files = {
        f"{who}/{part}/masked_softmax.py": SOFTMAX
        for who in ("ann", "bob")
        for part in parts
    }
    assert ids(download(zip_bytes(files))) == ["ann", "bob"]


# -- paths that are named more than once ------------------------------------------


def test_path_that_is_named_twice_is_read_once(tmp_path, take):
    write(tmp_path, CLASS)
    ann, bob = tmp_path / "class" / "ann", tmp_path / "class" / "bob"
    intake = take(ann, bob, tmp_path / "class" / "bob" / ".." / "ann")
    assert ids(intake) == ["ann", "bob"]
    (note,) = intake.warnings
    assert note.endswith("ann is named twice; it is read once.")


def test_path_inside_another_one_is_read_once(tmp_path, take):
    write(tmp_path, CLASS)
    intake = take(tmp_path / "class" / "ann" / "masked_softmax.py", tmp_path / "class")
    assert ids(intake) == ["ann", "bob", "cid"]
    (note,) = intake.warnings
    assert note.endswith(
        f"masked_softmax.py is read once, as a part of {tmp_path / 'class'}."
    )


# -- a download that was cut ----------------------------------------------------


def cut(mode):
    """A tar of three students that ends in the middle of the second one's file."""
    noise = {n: os.urandom(4_000) for n in ("ann", "bob", "cid")}
    files = {f"class/{n}/masked_softmax.py": noise[n] for n in noise}
    whole = tar_bytes(files, mode)
    half = 512 + 4_096 + 512 + 2_000 if mode == "w" else len(whole) // 2
    return whole[:half]


@pytest.mark.parametrize(("mode", "name"), [("w", "x.tar"), ("w:gz", "x.tar.gz")])
def test_cut_download_keeps_its_students_and_says_what_is_lost(download, mode, name):
    intake = download(cut(mode), name)
    assert (intake.layout, ids(intake)) == ("folders", ["ann", "bob"])
    (note,) = intake.warnings
    assert note.startswith(f"{name} is damaged or cut short (")
    assert note.endswith(
        "): what comes after class/bob/masked_softmax.py is lost. Get it again."
    )


@pytest.mark.parametrize(("mode", "name"), [("w", "x.tar"), ("w:gz", "x.tar.gz")])
def test_file_in_which_a_download_was_cut_is_on_its_students_row(download, mode, name):
    bob = download(cut(mode), name).submissions[1]
    assert "masked_softmax" not in bob.files
    assert any("cut short" in w for w in bob.warnings)
    assert "cut short" in bob.blocked["masked_softmax"]


def test_cut_archive_of_one_student_says_so_on_the_row(download):
    whole = tar_bytes({"masked_softmax.py": SOFTMAX, "x.bin": os.urandom(9_000)})
    intake = download(whole[:4_000], "lee.tar")
    (lee,) = intake.submissions
    assert list(lee.files) == ["masked_softmax"]
    assert any("what comes after x.bin is lost" in w for w in lee.warnings)


def test_cut_archive_inside_a_download_says_so_on_the_row(download):
    whole = tar_bytes({"masked_softmax.py": SOFTMAX, "x.bin": os.urandom(9_000)})
    files = {f"{who}_9_hw.tar": whole[:4_000] for who in ("lee_17", "kim_18")}
    for row in download(zip_bytes(files)).submissions:
        assert list(row.files) == ["masked_softmax"]
        assert any("what comes after x.bin is lost" in w for w in row.warnings)


# -- what an earlier grading wrote ---------------------------------------------


@pytest.mark.parametrize("more", [{}, {"out/reports/ta/ann.html": b"x"}])
def test_folder_that_grade_wrote_is_nobodys_hand_in(tmp_path, take, more):
    out = {"out/gradebook.sqlite": b"x"} | more
    write(tmp_path, {n.removeprefix("class/"): d for n, d in CLASS.items()} | out)
    intake = take(tmp_path)
    assert ids(intake) == ["ann", "bob", "cid"]
    assert intake.warnings == ["out/ is left out: it is a folder that grade wrote."]


def test_hand_in_with_a_gradebook_in_it_is_a_hand_in(tmp_path, take):
    write(tmp_path, CLASS | {"class/bob/gradebook.sqlite": b"x"})
    assert ids(take(tmp_path / "class")) == ["ann", "bob", "cid"]


# -- Canvas's marks in either case -----------------------------------------------


@pytest.mark.parametrize("mark", ["LATE", "late"])
def test_late_mark_of_an_anonymous_hand_in_counts_in_either_case(download, mark):
    files = {
        f"{mark}_anon_Xy1_99_masked_softmax.py": SOFTMAX,
        f"{mark}_anon_Xy2_text.html": b"typed",
        "anon_Xy3_98_masked_softmax.py": SOFTMAX,
    }
    intake = download(zip_bytes(files))
    late = {s.id: s.late for s in intake.submissions}
    assert late == {"anon-Xy1": True, "anon-Xy2": True, "anon-Xy3": False}
    assert intake.warnings == []
