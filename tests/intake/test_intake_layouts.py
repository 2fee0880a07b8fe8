"""Whole downloads, as each system writes them."""

import zipfile

import pytest
from handins import (
    EXERCISES,
    FORGET,
    SOFTMAX,
    notebook,
    raw_zip,
    tar_bytes,
    write,
    zip_bytes,
)

from grader.intake import detect
from grader.intake import read as read_handins
from grader.intake.layouts.base import iso_time
from grader.intake.layouts.gradescope_metadata import MetadataError, read_metadata

CLASS = {
    "lee/masked_softmax.py": SOFTMAX,
    "kim/masked_softmax.py": SOFTMAX,
    "kim/forget_bias.py": FORGET,
}


@pytest.fixture
def download(tmp_path, take):
    """Read name -> bytes as a zip with that name."""

    def download(files, name="submissions.zip", **options):
        data = files if isinstance(files, bytes) else zip_bytes(files)
        write(tmp_path, {name: data})
        return take(tmp_path / name, **options)

    return download


def ids(intake):
    return [s.id for s in intake.submissions]


def by_id(intake):
    return {s.id: s for s in intake.submissions}


# -- plain layouts -----------------------------------------------------------


def test_folder_per_student(tmp_path, take):
    intake = take(write(tmp_path, CLASS))
    assert (intake.layout, intake.summary) == (
        "folders",
        "Folder per student, 2 students",
    )
    assert ids(intake) == ["kim", "lee"]
    assert intake.warnings == []
    assert all(s.warnings == [] for s in intake.submissions)


@pytest.mark.parametrize("wrapper", ["", "class/", "a/b/"])
@pytest.mark.parametrize("name", ["x.zip", "x.tar", "x.tar.gz"])
def test_archive_of_a_folder_per_student(download, wrapper, name):
    files = {wrapper + n: data for n, data in CLASS.items()}
    make = {"x.zip": zip_bytes, "x.tar": tar_bytes}.get(
        name, lambda f: tar_bytes(f, "w:gz")
    )
    intake = download(make(files), name)
    assert (intake.layout, ids(intake)) == ("folders", ["kim", "lee"])


def test_folder_that_holds_only_a_download_is_looked_into(tmp_path, take):
    intake = take(write(tmp_path, {"submissions.zip": zip_bytes(CLASS)}))
    assert ids(intake) == ["kim", "lee"]


def test_folder_with_exercises_is_one_submission_called_like_it(tmp_path, take):
    files = {"masked_softmax.py": SOFTMAX, "hw/forget_bias.py": FORGET, "data/x": "1"}
    intake = take(write(tmp_path / "lee", files))
    assert (intake.layout, intake.summary) == ("single", "1 submission: lee")
    assert list(intake.submissions[0].files) == ["masked_softmax", "forget_bias"]


def test_folder_per_exercise_is_one_submission(tmp_path, take):
    files = {"masked_softmax/a.py": SOFTMAX, "forget_bias/b.py": FORGET}
    intake = take(write(tmp_path / "lee", files))
    assert ids(intake) == ["lee"]
    assert list(intake.submissions[0].files) == ["masked_softmax", "forget_bias"]


def test_one_students_parts_in_a_lone_folder_are_one_submission(tmp_path, take):
    files = {"lee/p1/masked_softmax.py": SOFTMAX, "lee/p2/forget_bias.py": FORGET}
    intake = take(write(tmp_path, files))
    assert ids(intake) == ["lee"]


def test_archive_with_one_folder_bears_the_students_name(download):
    intake = download({"homework/masked_softmax.py": SOFTMAX}, "lee.zip")
    assert ids(intake) == ["lee"]


def test_flat_folder_is_grouped_by_student(tmp_path, take):
    files = {
        "lee_masked_softmax.py": SOFTMAX,
        "lee_forget_bias.py": FORGET,
        "masked_softmax-kim.py": SOFTMAX,
        "max.zip": zip_bytes({"masked_softmax.py": SOFTMAX}),
        "zoe.ipynb": notebook(SOFTMAX.decode()),
        "grades.csv": "",
    }
    intake = take(write(tmp_path, files))
    assert intake.summary == "Flat folder, 4 students"
    assert intake.warnings == ["Not part of any submission: grades.csv."]
    found = by_id(intake)
    assert sorted(found) == ["kim", "lee", "max", "zoe"]
    assert list(found["lee"].files) == ["masked_softmax", "forget_bias"]
    assert found["lee"].files["forget_bias"].path == "lee_forget_bias.py"
    assert found["lee"].warnings == []  # a layout's own prefix is no guess
    assert list(found["zoe"].files) == ["masked_softmax"]


def test_archives_between_folders_are_students_too(tmp_path, take):
    extra = {"max.zip": zip_bytes({"forget_bias.py": FORGET}), "README.md": ""}
    intake = take(write(tmp_path, CLASS | extra))
    assert ids(intake) == ["kim", "lee", "max"]
    assert intake.warnings == ["Not part of any submission: README.md."]


def test_single_files_are_called_by_their_stem(tmp_path, take):
    write(tmp_path, {"lee.ipynb": notebook(SOFTMAX.decode()), "kim.py": SOFTMAX})
    intake = take(tmp_path / "lee.ipynb", tmp_path / "kim.py")
    assert (intake.layout, ids(intake)) == ("single", ["kim", "lee"])
    assert intake.summary == "2 submissions: kim, lee"


def test_files_of_one_folder_named_like_exercises_are_one_hand_in(tmp_path, take):
    lee = write(
        tmp_path / "lee", {"masked_softmax.py": SOFTMAX, "forget_bias.py": FORGET}
    )
    kim = write(tmp_path / "kim", {"masked_softmax.py": SOFTMAX})
    intake = take(
        lee / "masked_softmax.py", lee / "forget_bias.py", kim / "masked_softmax.py"
    )
    assert ids(intake) == ["kim", "lee"]
    assert len(intake.submissions[1].files) == 2


def test_many_paths_are_students_whatever_is_inside(tmp_path, take):
    write(tmp_path, {f"{w}/hw/masked_softmax.py": SOFTMAX for w in ("lee", "kim")})
    assert ids(take(tmp_path / "lee", tmp_path / "kim")) == ["kim", "lee"]


def test_empty_folder_of_a_student_is_a_row(tmp_path, take):
    write(tmp_path, CLASS)
    (tmp_path / "zoe").mkdir()
    intake = take(tmp_path)
    assert ids(intake) == ["kim", "lee", "zoe"]
    zoe = intake.submissions[2]
    assert zoe.warnings == ["No file of it is named like an exercise: it is empty."]
    assert zoe.error == ""


def test_layout_can_be_forced(tmp_path, take):
    files = {"a/masked_softmax.py": SOFTMAX, "b/masked_softmax.py": SOFTMAX}
    write(tmp_path / "lee", files)
    assert ids(take(tmp_path / "lee")) == ["a", "b"]
    intake = take(tmp_path / "lee", layout="single")
    assert (intake.layout, ids(intake)) == ("single", ["lee"])


def test_layouts_have_the_names_that_the_option_offers():
    assert sorted(detect.LAYOUTS) == [
        "canvas",
        "exercises",
        "flat",
        "folders",
        "git",
        "gradescope",
        "moodle",
        "nbgrader",
        "sections",
        "single",
    ]


def test_mixed_paths_are_told(tmp_path, take):
    write(tmp_path / "class", CLASS)
    write(tmp_path / "max", {"masked_softmax.py": SOFTMAX})
    intake = take(tmp_path / "class", tmp_path / "max")
    assert intake.layout == "mixed"
    assert intake.summary == "Folder per student and single submission, 3 students"


# -- Canvas --------------------------------------------------------------------


def test_canvas_download(download):
    intake = download(
        {
            "smithannlee_4017_99231_masked_softmax.py": SOFTMAX,
            "smithannlee_4017_99232_forget_bias.py": FORGET,
            "kim_LATE_4018_99240_my_own_1_2_notes.txt": b"",
            "kim_LATE_4018_99241_masked_softmax.py": SOFTMAX,
            "王小明_late_4019_99250_hw.zip": zip_bytes({"masked_softmax.py": SOFTMAX}),
            "LATE_anon_x7Yz9_99260_masked_softmax.py": SOFTMAX,
            "anon_abcde_99261_masked_softmax.py": SOFTMAX,
            "max_4020_text.html": b"<p>def f</p>",
        }
    )
    assert intake.layout == "canvas"
    assert intake.summary == "Canvas download, 6 students"
    found = by_id(intake)
    people = ["kim-4018", "max-4020", "smithannlee-4017", "王小明-4019"]
    assert sorted(found) == ["anon-abcde", "anon-x7Yz9", *people]
    lee = found["smithannlee-4017"]
    assert (lee.name, lee.late) == ("smithannlee", False)
    assert lee.ids == {"canvas": "4017", "canvas_file": "99232"}  # the newest file
    assert list(lee.files) == ["masked_softmax", "forget_bias"]
    assert lee.warnings == []
    assert found["kim-4018"].late is True
    assert found["kim-4018"].unused == ["my_own_1_2_notes.txt"]
    assert found["王小明-4019"].late is True
    assert list(found["王小明-4019"].files) == ["masked_softmax"]
    assert found["anon-x7Yz9"].late is True
    assert found["anon-abcde"].late is False
    assert found["anon-abcde"].ids == {"canvas_anonymous": "abcde"}
    assert found["max-4020"].warnings[0] == (
        "text.html is text typed into Canvas; only files are graded."
    )
    assert all(s.submitted_at is None for s in intake.submissions)


def test_canvas_resubmission_uses_the_newest_attachment_and_says_so(download):
    intake = download(
        {
            "lee_1_100_masked_softmax.py": SOFTMAX,
            "lee_1_300_masked_softmax-2.py": SOFTMAX + b"# newest\n",
            "lee_1_200_masked_softmax-1.py": SOFTMAX + b"# older\n",
        }
    )
    (lee,) = intake.submissions
    assert lee.files["masked_softmax"].path == "masked_softmax-2.py"
    assert sorted(lee.unused) == ["masked_softmax-1.py", "masked_softmax.py"]
    assert (
        "masked_softmax: masked_softmax-2.py is used and not masked_softmax.py, "
        "because it is the newest." in lee.warnings
    )


def test_canvas_file_name_cannot_claim_another_students_id(download):
    intake = download({"lee_1_100_kim_2_200_masked_softmax.py": SOFTMAX})
    assert ids(intake) == ["lee-1"]


def test_canvas_entry_that_is_a_link_costs_one_student_one_file(download):
    data = raw_zip(
        {"name": b"lee_1_100_masked_softmax.py", "mode": 0o120777},
        {"name": b"kim_2_200_masked_softmax.py"},
    )
    kim, lee = download(data).submissions
    assert list(kim.files) == ["masked_softmax"]
    message = "masked_softmax.py is a link, not a file; it is not read."
    assert lee.blocked == {"masked_softmax": message}


def test_big_canvas_download_is_read_entry_by_entry(tmp_path, take):
    """300 students with 1 MB of plots each: only what is used stays."""
    path = tmp_path / "submissions.zip"
    plot = bytes(range(256)) * 4_000
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as made:
        for i in range(60):
            made.writestr(f"s{i}_{i}_{1000 + i}_masked_softmax.py", SOFTMAX)
            made.writestr(f"s{i}_{i}_{5000 + i}_plot.png", plot)
    intake = take(path)
    assert len(intake.submissions) == 60
    kept = sum(len(f.data) for s in intake.submissions for f in s.files.values())
    assert kept == 60 * len(SOFTMAX)


# -- Moodle --------------------------------------------------------------------


@pytest.mark.parametrize("end", ["", "_"])
def test_moodle_download_with_folders(download, end):
    intake = download(
        {
            f"Ann Lee_311_assignsubmission_file{end}/masked_softmax.py": SOFTMAX,
            f"Ann Lee_311_assignsubmission_onlinetext{end}/onlinetext.html": b"<p>",
            f"Bo_Xu_312_assignsubmission_file{end}/hw/forget_bias.py": FORGET,
            f"Participant_313_assignsubmission_file{end}/masked_softmax.py": SOFTMAX,
        }
    )
    assert (intake.layout, intake.summary) == ("moodle", "Moodle download, 3 students")
    found = by_id(intake)
    assert sorted(found) == ["Ann-Lee-311", "Bo-Xu-312", "Participant-313"]
    lee = found["Ann-Lee-311"]
    assert (lee.name, lee.ids) == ("Ann Lee", {"moodle": "311"})
    assert list(lee.files) == ["masked_softmax"]
    assert lee.warnings == [
        "onlinetext.html was typed into Moodle; only files are graded."
    ]
    assert found["Bo-Xu-312"].name == "Bo Xu"
    assert found["Participant-313"].name == "Participant 313"
    assert (lee.submitted_at, lee.late) == (None, None)


def test_moodle_download_without_folders(download):
    intake = download(
        {
            "Ann Lee_311_assignsubmission_file_masked_softmax.py": SOFTMAX,
            "Ann Lee_311_assignsubmission_file_forget_bias.py": FORGET,
            "Bo Xu_312_assignsubmission_file_Masked_Softmax (1).py": SOFTMAX,
        }
    )
    assert ids(intake) == ["Ann-Lee-311", "Bo-Xu-312"]
    assert list(intake.submissions[0].files) == ["masked_softmax", "forget_bias"]


def test_moodle_download_of_one_student_is_still_moodle(download):
    intake = download({"Lee_3_assignsubmission_file/masked_softmax.py": SOFTMAX})
    assert (intake.layout, ids(intake)) == ("moodle", ["Lee-3"])


def test_moodle_file_name_cannot_claim_another_participant(download):
    name = "Lee_3_assignsubmission_file_Kim_4_assignsubmission_file_masked_softmax.py"
    assert ids(download({name: SOFTMAX})) == ["Lee-3"]


# -- Gradescope ----------------------------------------------------------------

METADATA = """---
submission_101:
  :submitters:
  - :name: Ann Lee
    :sid: '0042'
    :email: ann@example.org
  - :name: Bo Xu
    :sid: 43
    :email: bo@example.org
  :created_at: 2026-03-01 10:20:30.123456000 Z
  :score: 1.0
  :results:
    tests: [{output: "a: b"}]
  :history:
  - :id: 7
    :created_at: 2026-02-01 10:00:00 Z
    :submitters: []
submission_102:
  :submitters:
  - :name: Kim
  :created_at: 2026-03-02 08:00:00 +0800
submission_103:
submission_104:
  submitters: [{name: 王小明, sid: "77"}]
  created_at: 2026-03-03T01:02:03Z
"""


def gradescope(prefix="assignment_9_export/", metadata=METADATA):
    files = {
        f"{prefix}submission_{n}/masked_softmax.py": SOFTMAX for n in (101, 102, 103)
    }
    if metadata is not None:
        files[f"{prefix}submission_metadata.yml"] = metadata.encode()
    files["__MACOSX/assignment_9_export/._submission_101"] = b"\0"
    return files


@pytest.mark.parametrize("prefix", ["assignment_9_export/", ""])
def test_gradescope_export(download, prefix):
    intake = download(gradescope(prefix))
    assert intake.layout == "gradescope"
    assert intake.summary == "Gradescope export, 4 students"
    found = by_id(intake)
    assert sorted(found) == ["0042", "77", "Kim", "submission_103"]
    lee = found["0042"]
    assert (lee.name, lee.group) == ("Ann Lee, Bo Xu", ["Ann Lee", "Bo Xu"])
    assert lee.email == "ann@example.org"
    assert lee.submitted_at == "2026-03-01T10:20:30+00:00"
    assert lee.time_source == "Gradescope's metadata"
    assert lee.ids == {"gradescope": "101", "sid": "0042"}
    assert found["Kim"].submitted_at == "2026-03-02T08:00:00+08:00"
    assert found["submission_103"].warnings == [
        "The export's metadata says nothing of it."
    ]
    assert found["77"].error == "The export lists it but holds no file of it."


def test_gradescope_export_on_disk_without_metadata(tmp_path, take):
    intake = take(write(tmp_path, gradescope("", None)))
    assert intake.layout == "gradescope"
    assert len(intake.submissions) == 3
    assert intake.submissions[0].warnings == [
        "Name and time are unknown: the export has no metadata file."
    ]


@pytest.mark.parametrize(
    "text",
    [
        "submission_1: !!python/object/apply:os.system ['touch /tmp/x']",
        "a: &a [x]\nb: [*a, *a]\nsubmission_1: {created_at: *a}",
        "",
    ],
)
def test_metadata_makes_no_objects(text):
    if text:
        found = read_metadata(text.encode())
        assert found["submission_1"] in (None, {"created_at": None})
    else:
        with pytest.raises(MetadataError, match="no list of submissions"):
            read_metadata(b"")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- a\n- b\n", "no list of submissions"),
        ("submission_1: {a: [", "not YAML"),
        ("submission_1: {x: " + "[" * 300 + "]" * 300 + "}", "nested too deeply"),
    ],
)
def test_broken_metadata_is_told_and_costs_no_submission(download, text, message):
    with pytest.raises(MetadataError, match=message):
        read_metadata(text.encode())
    intake = download(gradescope(metadata=text))
    assert len(intake.submissions) == 3
    assert all(message in s.warnings[0] for s in intake.submissions)
    assert all(s.files for s in intake.submissions)


def test_long_outputs_in_metadata_are_skipped():
    output = "".join(f"  - output: {'x' * 50}\n    n: {i}\n" for i in range(2_000))
    text = f"submission_1:\n  :results:\n{output}  :created_at: 2026-01-01 00:00:00 Z\n"
    assert read_metadata(text.encode()) == {
        "submission_1": {"created_at": "2026-01-01 00:00:00 Z"}
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-03-01 10:20:30.123456 UTC", "2026-03-01T10:20:30+00:00"),
        ("2026-03-01 10:20:30 +0800", "2026-03-01T10:20:30+08:00"),
        ("2026-03-01T10:20:30", "2026-03-01T10:20:30+00:00"),
        ("2026-99-01 10:20:30", None),
        ("yesterday", None),
    ],
)
def test_times_of_other_programs_become_iso(text, expected):
    assert iso_time(text) == expected


@pytest.mark.parametrize("stray", ["notes/x.txt", "late/masked_softmax.py", "b.md"])
def test_canvas_download_with_a_stray_beside_it_stays_one(download, stray):
    names = ("lee_4032_9_masked_softmax.py", "kim_4033_8_masked_softmax.py")
    intake = download({**dict.fromkeys(names, SOFTMAX), stray: b""})
    assert intake.layout == "canvas"
    assert [s.ids["canvas"] for s in intake.submissions] == ["4033", "4032"]
    assert intake.warnings == [f"Not part of any submission: {stray}."]


def test_loose_test_file_of_a_flat_folder_is_no_student(tmp_path, take):
    names = ("test_masked_softmax.py", "masked_softmax-tests.py")
    files = dict.fromkeys((*names, "lee_masked_softmax.py", "kim.py"), SOFTMAX)
    intake = take(write(tmp_path, files))
    assert ids(intake) == ["kim", "lee"]
    assert intake.warnings == [
        "Not part of any submission: masked_softmax-tests.py, test_masked_softmax.py."
    ]


def test_file_that_is_named_on_the_command_line_is_graded_whatever_its_name(
    tmp_path, take
):
    write(tmp_path, {"test_masked_softmax.py": SOFTMAX})
    (one,) = take(tmp_path / "test_masked_softmax.py").submissions
    assert list(one.files) == ["masked_softmax"]


# -- nbgrader --------------------------------------------------------------------


@pytest.mark.parametrize("prefix", ["submitted/", "course/submitted/", ""])
def test_nbgrader_tree(download, prefix):
    intake = download(
        {
            f"{prefix}lee/ps1/hw.ipynb": notebook(SOFTMAX.decode()),
            f"{prefix}lee/ps1/timestamp.txt": b"2026-02-02 15:58:23.948203 UTC",
            f"{prefix}kim/ps1/masked_softmax.ipynb": notebook(SOFTMAX.decode()),
            f"{prefix}kim/ps1/timestamp.txt": b"soon",
            f"{prefix}kim/ps2/forget_bias.py": FORGET,
        }
    )
    assert (intake.layout, ids(intake)) == ("nbgrader", ["kim", "lee"])
    kim, lee = intake.submissions
    assert lee.submitted_at == "2026-02-02T15:58:23+00:00"
    assert lee.time_source == "time stamp of ps1"
    assert lee.files["masked_softmax"].kind == "ipynb"
    assert lee.unused == []
    assert list(kim.files) == ["masked_softmax", "forget_bias"]
    assert "ps1/timestamp.txt holds no time." in kim.warnings


JANUARY, FEBRUARY = "2026-01-02T15:58:23+00:00", "2026-02-02T15:58:23+00:00"


def assignments(stamps=True):
    files = {
        "submitted/ann/hw9/masked_softmax.py": SOFTMAX,
        "submitted/ann/hw9/forget_bias.py": FORGET,
        "submitted/ann/hw10/masked_softmax.py": b"# newer\n" + SOFTMAX,
    }
    if stamps:
        files["submitted/ann/hw9/timestamp.txt"] = b"2026-01-02 15:58:23 UTC"
        files["submitted/ann/hw10/timestamp.txt"] = b"2026-02-02 15:58:23 UTC"
    return zip_bytes(files)


@pytest.mark.parametrize(
    ("exercises", "time", "path"),
    [
        (["masked_softmax", "forget_bias"], FEBRUARY, "hw10/masked_softmax.py"),
        (["masked_softmax"], FEBRUARY, "hw10/masked_softmax.py"),
        (["forget_bias"], JANUARY, "hw9/forget_bias.py"),
    ],
)
def test_nbgrader_takes_the_newest_assignment_and_its_time(
    tmp_path, exercises, time, path
):
    write(tmp_path, {"nb.zip": assignments()})
    (ann,) = read_handins([tmp_path / "nb.zip"], exercises).submissions
    assert (ann.submitted_at, ann.files[exercises[0]].path) == (time, path)
    newest = any("it is the newest" in w for w in ann.warnings)
    assert newest == ("masked_softmax" in exercises)
    several = any("handed in at different times" in w for w in ann.warnings)
    assert several == (len(exercises) == 2)


def test_nbgrader_without_time_stamps_goes_by_name_and_says_so(tmp_path, take):
    write(tmp_path, {"nb.zip": assignments(stamps=False)})
    (ann,) = take(tmp_path / "nb.zip").submissions
    assert ann.files["masked_softmax"].path == "hw10/masked_softmax.py"
    assert ann.submitted_at is None
    assert ann.warnings[0] == (
        "Nothing says when its assignments (hw10, hw9) were handed in; the last by "
        "name is taken for the newest."
    )


# -- all of them -----------------------------------------------------------------


def test_examples_are_read_as_they_are_meant(root, take):
    intake = take(root / "examples" / "submissions")
    found = by_id(intake)
    assert intake.layout == "folders"
    assert intake.warnings == []
    assert len(found) >= 12
    assert sorted(found["ada"].files) == sorted(EXERCISES)
    assert found["ada"].warnings == []
    assert found["dana"].files["masked_softmax"].kind == "ipynb"
    assert found["emil"].files["forget_bias"].path.startswith("emil_homework.zip/")
    assert len(found["fay"].warnings) == 4
    assert "填充" in found["chen-yu"].files["masked_softmax"].text
    assert sorted(found["kim"].blocked) == [
        "masked_softmax",
        "packed_lstm",
        "truncated_bptt",
    ]
    assert found["mo"].files["masked_softmax"].data.startswith(b"\xef\xbb\xbf")
    assert found["nora"].files == {}
    assert not any(s.error for s in intake.submissions)


def test_reading_twice_gives_the_same(root, take):
    first, second = (take(root / "examples" / "submissions") for _ in range(2))
    assert first.submissions == second.submissions


def test_every_layout_says_where_its_times_come_from(download):
    intake = download({"smithann_LATE_4017_99231_masked_softmax.py": SOFTMAX})
    assert intake.times == (
        "times of hand-ins: Canvas download: known late or not, but not when"
    )
    assert all(layout.times for layout in detect.LAYOUTS.values())
