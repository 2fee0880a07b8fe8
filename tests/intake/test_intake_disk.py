"""Folders on disk: links, FIFOs, sizes, odd names, git clones, ids."""

import os
import socket
import stat
import subprocess
import time

import pytest
from handins import FORGET, SOFTMAX, write

from grader.errors import IntakeError, UsageError
from grader.intake.ids import make_unique, safe_id
from grader.intake.limits import Limits
from grader.intake.words import show
from grader.submission import Submission


def test_link_fifo_and_socket_are_refused_by_name(tmp_path, only):
    lee = write(tmp_path / "lee", {"forget_bias.py": FORGET})
    (lee / "masked_softmax.py").symlink_to("/etc/hostname")
    os.mkfifo(lee / "packed_lstm.py")
    made = socket.socket(socket.AF_UNIX)
    made.bind(str(lee / "truncated_bptt.py"))
    made.close()
    (lee / "more").symlink_to("/etc", target_is_directory=True)
    found = only(tmp_path)
    assert list(found.files) == ["forget_bias"]
    assert found.blocked == {
        "masked_softmax": "masked_softmax.py is a link, not a file; it is not read.",
        "packed_lstm": "packed_lstm.py is a FIFO, not a file; it is not read.",
        "truncated_bptt": "truncated_bptt.py is a socket, not a file; it is not read.",
    }
    assert "more is a link, not a file; it is not read." in found.warnings


def test_link_in_place_of_a_students_folder_is_that_students_row(tmp_path, take):
    write(tmp_path / "class/lee", {"masked_softmax.py": SOFTMAX})
    write(tmp_path / "elsewhere", {"masked_softmax.py": SOFTMAX})
    (tmp_path / "class/kim").symlink_to(tmp_path / "elsewhere")
    kim, lee = take(tmp_path / "class").submissions
    assert (kim.id, kim.files) == ("kim", {})
    assert kim.error == "kim is a link, not a file; it is not read."
    assert list(lee.files) == ["masked_softmax"]


def test_file_swapped_for_a_fifo_after_listing_does_not_hang(tmp_path):
    from grader.intake.tree import from_file

    path = write(tmp_path, {"x.py": SOFTMAX}) / "x.py"
    entry = from_file(path, "x.py")
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(IntakeError, match=r"x\.py is not a file; it is not read"):
        entry.read(1_000)
    path.unlink()
    path.symlink_to("/etc/hostname")
    with pytest.raises(IntakeError, match=r"x\.py cannot be read"):
        entry.read(1_000)


def test_hard_link_is_read_and_told(tmp_path, only):
    write(tmp_path, {"lee/a.txt": "", "outside.py": SOFTMAX})
    os.link(tmp_path / "outside.py", tmp_path / "lee/masked_softmax.py")
    found = only(tmp_path / "lee")
    assert list(found.files) == ["masked_softmax"]
    assert any("masked_softmax.py is a hard link" in w for w in found.warnings)


def test_huge_sparse_file_is_refused_without_reading_it(tmp_path, only):
    path = write(tmp_path / "lee", {"masked_softmax.py": b""}) / "masked_softmax.py"
    os.truncate(path, 1 << 40)
    before = time.process_time()
    message = only(tmp_path).blocked["masked_softmax"]
    assert "masked_softmax.py is too big (1099511.6 MB" in message
    assert time.process_time() - before < 5


def test_unreadable_folder_is_a_message_on_its_row(tmp_path, take):
    if os.geteuid() == 0:
        # root reads everything: a folder that vanishes while it is walked will do
        from grader.intake.tree import _Walk

        (entry,) = _Walk(Limits()).folder(tmp_path / "gone", "gone/", 1, "")
        assert entry.refusal == "gone cannot be listed: No such file or directory."
        return
    write(
        tmp_path, {"lee/masked_softmax.py": SOFTMAX, "kim/masked_softmax.py": SOFTMAX}
    )
    (tmp_path / "kim").chmod(0)
    kim, lee = take(tmp_path).submissions
    (tmp_path / "kim").chmod(stat.S_IRWXU)
    assert "cannot be listed" in kim.error
    assert lee.error == ""


def test_deep_folders_end_with_a_message(tmp_path, only):
    write(tmp_path / "lee", {"masked_softmax.py": SOFTMAX, "d/" * 30 + "x.py": b"x"})
    found = only(tmp_path)
    assert list(found.files) == ["masked_softmax"]
    assert any("nested too deeply" in w for w in found.warnings)


def test_file_names_that_are_not_utf8_are_guessed(tmp_path, only):
    folder = os.fsencode(tmp_path) + b"/class/" + "王小明".encode("gbk")
    os.makedirs(folder)
    with open(folder + b"/masked_softmax.py", "wb") as file:
        file.write(SOFTMAX)
    found = only(tmp_path / "class")
    assert (found.id, found.name) == ("王小明", "王小明")
    assert list(found.files) == ["masked_softmax"]
    assert found.warnings == ["The file name 王小明 is not UTF-8; it was guessed."]


def test_case_twins_on_disk_are_two_students(tmp_path, take):
    for who in ("lee", "Lee", "LEE"):
        write(tmp_path / who, {"masked_softmax.py": SOFTMAX})
    found = take(tmp_path).submissions
    assert sorted(s.name for s in found) == ["LEE", "Lee", "lee"]
    assert len({s.id.casefold() for s in found}) == 3
    assert [s.id for s in found if s.name == "lee"] == ["lee"]
    assert all(s.warnings for s in found if s.name != "lee")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("lee", "lee"),
        ("王小明", "王小明"),
        ("Ann Lee", "Ann-Lee"),
        ("../../etc/passwd", "etc-passwd"),
        ("-rf", "rf"),
        ("$(rm x); 'a' [b] (c)", "rm-x-a-b-c"),
        ("..", "submission"),
        ("", "submission"),
        ("con", "con_"),
        ("a\u202eb\x1b[0m", "a-b-0m"),
        ("x" * 300, "x" * 64),
        ("王" * 300, "王" * 42),
    ],
)
def test_id_is_safe_for_files_and_shells(name, expected):
    assert safe_id(name) == expected


def test_ids_do_not_depend_on_who_else_handed_in_first():
    def ids(*names):
        made = [Submission(id=n) for n in names]
        make_unique(made)
        return {n: s.id for n, s in zip(names, made, strict=True)}

    first = ids("a b", "a/b", "lee")
    assert first["lee"] == "lee"
    assert len(set(first.values())) == 3
    assert ids("lee", "a/b", "zoe", "a b") == {**first, "zoe": "zoe"}


def test_same_name_twice_gets_a_number_and_a_warning(tmp_path, take):
    for week in ("w1", "w2"):
        write(tmp_path / week / "lee", {"masked_softmax.py": SOFTMAX})
        write(tmp_path / week / "kim", {"masked_softmax.py": SOFTMAX})
    found = take(tmp_path / "w1", tmp_path / "w2").submissions
    assert [s.id for s in found] == ["kim", "kim-2", "lee", "lee-2"]
    assert found[1].warnings == [
        "Another hand-in has nearly the same name as kim; this one is called kim-2."
    ]


def test_plain_folder_takes_the_newest_file_time(tmp_path, only):
    write(tmp_path / "lee", {"masked_softmax.py": SOFTMAX, "forget_bias.py": FORGET})
    os.utime(tmp_path / "lee/masked_softmax.py", (1.7e9, 1.7e9))
    os.utime(tmp_path / "lee/forget_bias.py", (1.6e9, 1.6e9))
    found = only(tmp_path)
    assert found.submitted_at == "2023-11-14T22:13:20+00:00"
    assert found.time_source == "file time of masked_softmax.py"
    assert found.late is None


def git(folder, *args):
    env = {
        **os.environ,
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_AUTHOR_DATE": "2026-03-01T12:00:00+08:00",
        "GIT_COMMITTER_DATE": "2026-03-01T12:30:00+08:00",
    }
    who = ["-c", "user.name=Lee", "-c", "user.email=lee@example.org"]
    subprocess.run(
        ["git", *who, *args], cwd=folder, env=env, check=True, capture_output=True
    )


def clone(folder):
    write(folder, {"masked_softmax.py": SOFTMAX})
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "done")
    return folder


def test_git_clones_take_the_commit_time(tmp_path, take):
    clone(tmp_path / "lee")
    clone(tmp_path / "kim")
    intake = take(tmp_path)
    assert intake.layout == "git"
    assert intake.summary == "Git clones, 2 students"
    for found in intake.submissions:
        assert found.submitted_at == "2026-03-01T12:30:00+08:00"
        assert found.time_source.startswith("commit time of HEAD")
        assert found.unused == [".git/"]
        assert list(found.files) == ["masked_softmax"]


def test_hostile_git_config_runs_nothing(tmp_path, only):
    lee = clone(tmp_path / "lee")
    trap = tmp_path / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    trap.chmod(0o755)
    for key in ("core.fsmonitor", "core.sshCommand", "core.pager", "gpg.program"):
        git(lee, "config", key, str(trap))
    git(lee, "config", "log.showSignature", "true")
    git(lee, "config", "core.hooksPath", str(tmp_path))
    git(lee, "config", "remote.origin.url", f"ext::{trap}")
    git(lee, "config", "remote.origin.promisor", "true")
    git(lee, "config", "extensions.partialClone", "origin")
    assert only(tmp_path).submitted_at == "2026-03-01T12:30:00+08:00"
    head = subprocess.check_output(["git", "rev-parse", "HEAD"], cwd=lee, text=True)
    (lee / ".git/objects" / head[:2] / head[2:].strip()).unlink()
    found = only(tmp_path)
    assert found.submitted_at is None or "file time" in found.time_source
    assert any("whose last commit cannot be read" in w for w in found.warnings)
    assert not (tmp_path / "ran").exists()


def test_clone_without_a_commit_says_so(tmp_path, only):
    git(write(tmp_path / "lee", {"masked_softmax.py": SOFTMAX}), "init", "-q")
    found = only(tmp_path)
    assert any("whose last commit cannot be read" in w for w in found.warnings)
    assert found.time_source == "file time of masked_softmax.py"


def test_git_link_is_not_followed(tmp_path, only):
    clone(tmp_path / "elsewhere")
    lee = write(tmp_path / "class/lee", {"masked_softmax.py": SOFTMAX})
    (lee / ".git").symlink_to(tmp_path / "elsewhere/.git")
    assert "file time" in only(tmp_path / "class").time_source


def test_path_that_does_not_exist_is_refused(take, tmp_path):
    with pytest.raises(IntakeError, match="nowhere cannot be read: No such file"):
        take(tmp_path / "nowhere")


def test_path_that_is_no_hand_in_is_refused(take, tmp_path):
    write(tmp_path, {"a.pdf": b"%PDF"})
    with pytest.raises(IntakeError, match=r"a\.pdf is no hand-in: give a folder"):
        take(tmp_path / "a.pdf")
    os.mkfifo(tmp_path / "fifo.py")
    with pytest.raises(IntakeError, match=r"fifo\.py is neither a file nor a folder"):
        take(tmp_path / "fifo.py")


def test_unknown_layout_is_refused_with_the_known_ones(take, tmp_path):
    with pytest.raises(
        UsageError, match=r"unknown layout 'moodel'; it is one of: canvas"
    ):
        take(tmp_path, layout="moodel")


def test_messages_escape_what_a_terminal_would_obey():
    assert show("a\x1b[31m\u202eb\ud800") == "a\\x1b[31m\\u202eb\\ud800"
    assert len(show("x" * 1_000)) <= 120
