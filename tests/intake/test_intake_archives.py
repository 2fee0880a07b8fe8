"""Zips and tars made to hurt: each costs its own entry or its own row."""

import os
import struct
import tarfile
import zipfile

import pytest
from handins import (
    FORGET,
    SOFTMAX,
    raw_zip,
    tar_bytes,
    tar_member,
    write,
    zip_bytes,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.errors import IntakeError
from grader.intake import archive
from grader.intake.limits import Limits

GOOD = {"name": b"forget_bias.py", "data": FORGET}


@pytest.fixture
def row(tmp_path, only):
    """The submission of an archive's bytes."""

    def row(data, name="lee.zip", **limits):
        write(tmp_path, {name: data})
        return only(tmp_path / name, limits=Limits(**limits))

    return row


def lost_only(found, message, exercise="masked_softmax"):
    """One entry was refused with ``message``; the good one beside it is used."""
    assert list(found.files) == ["forget_bias"]
    assert found.error == ""
    assert message in found.warnings, found.warnings
    assert exercise is None or found.blocked == {exercise: message}


def test_plain_zip_and_tar_give_the_same_submission(row):
    files = {"lee/masked_softmax.py": SOFTMAX, "lee/forget_bias.py": FORGET}
    made = [
        row(zip_bytes(files), "lee.zip"),
        row(tar_bytes(files), "lee.tar"),
        row(tar_bytes(files, "w:gz"), "lee.tar.gz"),
        row(tar_bytes(files, "w:gz"), "lee.tgz"),
    ]
    for found in made:
        assert found.id == "lee"
        assert found.files["masked_softmax"].data == SOFTMAX
        assert found.files["forget_bias"].data == FORGET
    assert len({found.digest() for found in made}) == 1


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (b"../masked_softmax.py", "points out of its folder"),
        (b"a/../../masked_softmax.py", "points out of its folder"),
        (b"/masked_softmax.py", "is absolute"),
        (b"C:\\masked_softmax.py", "is absolute"),
        (b"..\\masked_softmax.py", "points out of its folder"),
        (b"masked_softmax.py\0.txt", "has a null byte in it"),
    ],
)
def test_name_that_leaves_the_archive_is_refused_by_name(row, name, message):
    found = row(raw_zip({"name": name}, GOOD))
    shown = name.decode().replace("\0", "\\x00")
    assert list(found.files) == ["forget_bias"]
    (told,) = found.warnings[-1:]
    assert told.endswith(f" is refused: its whole name, {shown}, {message}."), told


@pytest.mark.parametrize(
    "name",
    [
        "-" * 60_000 + "1.py",
        "(" * 256 + "masked_softmax.py",
        "d/" * 2_100 + "masked_softmax.py",
        "masked_softmax" + "_copy" * 60 + ".py",
    ],
)
@pytest.mark.parametrize("kind", ["lee.zip", "lee.tar"])
def test_name_that_no_disk_takes_is_refused_and_looked_at_no_further(row, name, kind):
    files = {name: SOFTMAX, "forget_bias.py": FORGET}
    found = row(zip_bytes(files) if kind == "lee.zip" else tar_bytes(files), kind)
    assert list(found.files) == ["forget_bias"]
    (told,) = found.warnings
    assert told.endswith(", is longer than any that a disk takes."), told
    assert len(told) < 400


def test_longest_name_that_a_disk_takes_is_read(row):
    folder = "f" * 255
    found = row(zip_bytes({f"{folder}/masked_softmax.py": SOFTMAX}))
    assert list(found.files) == ["masked_softmax"]


@pytest.mark.parametrize("mode", [0o120777, 0o020666, 0o060666, 0o010666, 0o140777])
def test_links_devices_and_fifos_in_a_zip_are_refused(row, mode):
    found = row(raw_zip({"name": b"masked_softmax.py", "mode": mode}, GOOD))
    assert list(found.files) == ["forget_bias"]
    assert found.blocked["masked_softmax"].endswith("not a file; it is not read.")


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        (tarfile.SYMTYPE, "a link"),
        (tarfile.LNKTYPE, "a link"),
        (tarfile.CHRTYPE, "a device or a FIFO"),
        (tarfile.BLKTYPE, "a device or a FIFO"),
        (tarfile.FIFOTYPE, "a device or a FIFO"),
    ],
)
@pytest.mark.parametrize("mode", ["w", "w:gz"])
def test_links_devices_and_fifos_in_a_tar_are_refused(row, kind, message, mode):
    evil = tar_member("masked_softmax.py", kind, "/etc/passwd")
    found = row(tar_bytes({"forget_bias.py": FORGET}, mode, [evil]), "lee.tar")
    lost_only(found, f"masked_softmax.py is {message}, not a file; it is not read.")


def test_stated_size_is_not_believed(row):
    bomb = {"name": b"masked_softmax.py", "data": b"\0" * 3_000_000, "size": 10}
    found = row(raw_zip(bomb, GOOD))
    assert list(found.files) == ["forget_bias"]
    assert "masked_softmax.py is too big" in found.blocked["masked_softmax"]


def test_packing_ratio_is_limited(row):
    bomb = {"name": b"hw.zip", "data": b"\0" * 5_000_000}
    found = row(raw_zip(bomb, GOOD))
    lost_only(
        found,
        "hw.zip unpacks to more than 200 times its packed size; it is not read.",
        None,
    )


def test_all_that_is_read_of_one_hand_in_is_limited(row):
    parts = {f"part{i}.zip": zip_bytes({"a.txt": os.urandom(2_000)}) for i in range(9)}
    found = row(zip_bytes(parts | {"forget_bias.py": FORGET}), read_bytes=6_000)
    assert any("too big" in w for w in found.warnings)


def test_encrypted_entry_is_refused(row):
    found = row(raw_zip({"name": b"masked_softmax.py", "flags": 1}, GOOD))
    lost_only(found, "masked_softmax.py is encrypted; hand it in without a password.")


def test_unknown_packing_is_refused(row):
    found = row(raw_zip({"name": b"masked_softmax.py", "method": 99}, GOOD))
    message = "masked_softmax.py is packed with method 99, which is not read; make an "
    lost_only(found, message + "ordinary zip.")


def test_wrong_checksum_costs_the_entry(row):
    found = row(raw_zip({"name": b"masked_softmax.py", "crc": 7}, GOOD))
    message = "masked_softmax.py is damaged in the archive (its checksum is wrong)."
    lost_only(found, message)


def test_overlapping_entries_are_refused(row):
    twice = {"name": b"masked_softmax.py", "offset": 0}
    found = row(raw_zip(twice, {"name": b"bahdanau_attention.py", "offset": 0}, GOOD))
    assert list(found.files) == ["bahdanau_attention", "forget_bias"]
    message = "masked_softmax.py overlaps another entry of the archive; it is not read."
    assert found.blocked == {"masked_softmax": message}


def test_broken_utf8_flag_costs_no_more_than_its_name(row, tmp_path):
    broken = {"name": b"\xff\xfe.py", "flags": 0x800, "data": b"x = 1"}
    data = raw_zip(broken, GOOD)
    write(tmp_path, {"x.zip": data})
    with pytest.raises(UnicodeDecodeError, match="invalid start byte"):
        zipfile.ZipFile(tmp_path / "x.zip")
    found = row(data)
    assert list(found.files) == ["forget_bias"]
    assert any(
        "is marked UTF-8 but is not; it was guessed." in w for w in found.warnings
    )


@pytest.mark.parametrize(
    ("encoding", "folder", "note"),
    [
        ("utf-8", "王小明", False),
        ("gbk", "王小明", True),
        ("cp437", "André Müller", True),
    ],
)
def test_undeclared_names_are_read_in_their_encoding(
    tmp_path, take, encoding, folder, note
):
    entries = [
        {"name": f"{who}/masked_softmax.py".encode(encoding)} for who in (folder, "lee")
    ]
    intake = take(write(tmp_path, {"class.zip": raw_zip(*entries)}) / "class.zip")
    by_name = {s.name: s for s in intake.submissions}
    assert sorted(by_name) == sorted([folder, "lee"])
    assert by_name["lee"].warnings == []
    told = "File names in the archive are not UTF-8; they were read as "
    told += f"{encoding.upper()}."
    assert by_name[folder].warnings == ([told] if note else [])


def test_names_of_several_encodings_in_one_archive_are_told_apart(tmp_path, take):
    by_chance = bytes.fromhex("c4a3c4a3").decode("gbk")  # valid UTF-8, too
    assert by_chance.encode("gbk").decode("utf-8") == "ģģ"
    written = {"张伟": "gbk", by_chance: "gbk", "Zoë": "utf-8", "Иван": "utf-8"}
    entries = [
        {"name": f"{who}/masked_softmax.py".encode(encoding)}
        for who, encoding in written.items()
    ]
    intake = take(write(tmp_path, {"class.zip": raw_zip(*entries)}) / "class.zip")
    assert sorted(s.name for s in intake.submissions) == sorted(written)
    told = [s.name for s in intake.submissions if s.warnings]
    assert sorted(told) == sorted(["张伟", by_chance])


@pytest.mark.parametrize("kind", ["zip", "tar"])
def test_of_two_entries_with_one_name_the_last_is_used(tmp_path, only, kind):
    first, last = b"# first\n" + SOFTMAX, b"# last\n" + SOFTMAX
    name = "masked_softmax.py"
    if kind == "zip":
        data = raw_zip(*({"name": name.encode(), "data": d} for d in (first, last)))
    else:
        data = tar_bytes({name: first})[:1024] + tar_bytes({name: last})
    write(tmp_path, {f"lee.{kind}": data})
    found = only(tmp_path / f"lee.{kind}")
    assert found.files["masked_softmax"].data == last
    assert (found.unused, found.warnings) == (
        [],
        [
            "masked_softmax.py is 2 times in its archive; the last one is used, as "
            "unpacking would leave it."
        ],
    )


def test_backslashes_are_read_as_slashes_with_a_warning(row):
    found = row(raw_zip({"name": b"hw\\masked_softmax.py"}))
    assert found.files["masked_softmax"].path == "masked_softmax.py"
    assert found.warnings == [
        "hw\\masked_softmax.py has backslashes in its name; they were read as slashes."
    ]


def test_system_files_of_a_mac_are_no_answers(row):
    junk = {"name": b"__MACOSX/hw/._masked_softmax.py", "data": b"\0\5\x16\7"}
    found = row(raw_zip({"name": b"hw/masked_softmax.py"}, junk))
    assert found.files["masked_softmax"].data == SOFTMAX
    assert found.warnings == []


@pytest.mark.parametrize(
    ("data", "name", "message"),
    [
        (
            zip_bytes({"masked_softmax.py": SOFTMAX})[:-30],
            "lee.zip",
            "its end is missing",
        ),
        (b"", "lee.zip", "lee.zip is empty (0 bytes); pack it again."),
        (b"hello", "lee.zip", "its end is missing"),
        (b"Rar!\x1a\7", "lee.zip", "is a rar archive; only zip, tar and tar.gz"),
        (b"7z\xbc\xaf'\x1c", "lee.7z", "is a 7z archive; only zip, tar and tar.gz"),
        (b"hello", "lee.tar.gz", "is not an archive, whatever its name says"),
        (b"\x1f\x8bhello", "lee.tar.gz", "lee.tar.gz is a broken tar archive"),
        (b"x" * 2_000, "lee.tar", "lee.tar is a broken tar archive"),
        (b"PK\5\6" + b"\xff" * 18, "lee.zip", "lies outside of it"),
        (
            b"PK\5\6" + struct.pack("<4H2LH", 0, 0, 3, 3, 200, 0, 0),
            "lee.zip",
            "its table of contents lies outside of it",
        ),
    ],
)
def test_broken_archive_is_one_unreadable_row(row, data, name, message):
    found = row(data, name)
    assert found.id == "lee"
    assert message in found.error
    assert found.files == {}


def test_broken_archive_in_a_batch_costs_only_its_own_row(tmp_path, take):
    good = zip_bytes({"masked_softmax.py": SOFTMAX})
    write(tmp_path, {"lee.zip": good, "kim.zip": good[:-30], "max.zip": good})
    intake = take(tmp_path)
    assert [s.id for s in intake.submissions] == ["kim", "lee", "max"]
    assert [bool(s.error) for s in intake.submissions] == [True, False, False]


@pytest.mark.parametrize("mode", ["w", "w:gz"])
def test_truncated_tar_keeps_what_came_before(row, mode):
    files = {"forget_bias.py": FORGET, "masked_softmax.py": os.urandom(60_000)}
    found = row(tar_bytes(files, mode)[:30_000], "lee.tar")
    assert list(found.files) == ["forget_bias"]
    assert any("cut short" in w or "damaged" in w for w in found.warnings)


def test_gzipped_tar_that_unpacks_for_ever_is_stopped(row):
    files = {"forget_bias.py": FORGET, "big.bin": b"\0" * 30_000_000}
    data = tar_bytes(files | {"masked_softmax.py": SOFTMAX}, "w:gz")
    found = row(data, "lee.tar.gz", stream_bytes=10_000_000)
    assert list(found.files) == ["forget_bias"]
    assert any("unpacks to too much" in w for w in found.warnings)


def test_tar_header_with_a_huge_long_name_is_stopped(row):
    member = tarfile.TarInfo("././@LongLink")
    member.type, member.size = tarfile.GNUTYPE_LONGNAME, 1 << 33
    data = tar_bytes({"forget_bias.py": FORGET})[:1024] + member.tobuf()
    found = row(data + b"\0" * 2048, "lee.tar")
    assert list(found.files) == ["forget_bias"]
    assert any("is damaged or cut short" in w for w in found.warnings)


def test_gzipped_tar_is_unpacked_once_and_not_again_for_each_entry(tmp_path):
    files = {f"s{i}/masked_softmax.py": os.urandom(1_024) for i in range(200)}
    path = write(tmp_path, {"x.tar.gz": tar_bytes(files, "w:gz")}) / "x.tar.gz"
    with path.open("rb") as file:
        counted = Counted(file)
        opened = archive.open_file(counted, "x.tar.gz", Limits())
        assert len(opened.entries) == 200
    assert counted.read_bytes < 2 * path.stat().st_size


class Counted:
    """A file that counts what is read of it."""

    def __init__(self, file):
        self.file, self.read_bytes = file, 0

    def read(self, number=-1):
        data = self.file.read(number)
        self.read_bytes += len(data)
        return data

    def __getattr__(self, name):
        return getattr(self.file, name)


def test_archive_in_an_archive_is_opened_once(row):
    inner = zip_bytes({"masked_softmax.py": SOFTMAX})
    found = row(zip_bytes({"a.txt": b"", "hw.zip": inner}))
    assert found.files["masked_softmax"].path == "hw.zip/masked_softmax.py"
    found = row(zip_bytes({"a.txt": b"", "hw.zip": zip_bytes({"in.zip": inner})}))
    assert found.files == {}
    why = "hw.zip/in.zip lies too deep in archives; unpack it once."
    assert why in found.warnings
    assert found.error == why
    usable = {"forget_bias.py": FORGET, "hw.zip": zip_bytes({"in.zip": inner})}
    found = row(zip_bytes(usable))
    assert (list(found.files), found.error) == (["forget_bias"], "")


def test_broken_archive_beside_good_files_is_a_warning(row):
    found = row(zip_bytes({"forget_bias.py": FORGET, "old.zip": b"PK\3\4"}))
    assert list(found.files) == ["forget_bias"]
    assert any(w.startswith("old.zip is not a whole zip") for w in found.warnings)


def test_zip64_and_leading_bytes_are_read(tmp_path, only):
    path = tmp_path / "lee.zip"
    with (
        zipfile.ZipFile(path, "w") as made,
        made.open("masked_softmax.py", "w", force_zip64=True) as entry,
    ):
        entry.write(SOFTMAX)
    path.write_bytes(b"#!/bin/sh\n" + path.read_bytes())
    # It does not begin like a zip; its name and its end say that it is one.
    assert only(path).files["masked_softmax"].data == SOFTMAX


def test_nothing_is_written_to_disk(tmp_path, only, monkeypatch):
    path = write(tmp_path, {"lee.zip": zip_bytes({"masked_softmax.py": SOFTMAX})})
    before = sorted(tmp_path.rglob("*"))
    monkeypatch.chdir(tmp_path)
    only(path / "lee.zip")
    assert sorted(tmp_path.rglob("*")) == before


@settings(derandomize=True, max_examples=150, deadline=None)
@given(data=st.data())
def test_any_damage_is_a_message_and_never_a_crash(data):
    files = {"masked_softmax.py": SOFTMAX, "a/b.txt": b"x" * 50}
    kind = data.draw(st.sampled_from(["zip", "tar", "tar.gz"]))
    whole = zip_bytes(files) if kind == "zip" else tar_bytes(files)
    if kind == "tar.gz":
        whole = tar_bytes(files, "w:gz")
    broken = bytearray(whole)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(broken) - 1))
        broken[at] = data.draw(st.integers(0, 255))
    try:
        tree = archive.open_bytes(bytes(broken), f"x.{kind}", Limits())
    except IntakeError:
        return
    for entry in tree.entries:
        assert not entry.name.startswith("/")
        assert ".." not in entry.name.split("/")
        try:
            entry.read(10_000)
        except IntakeError:
            continue
