import os
import stat
from pathlib import Path

import dask
import msgspec
import pytest
from gradings import tiny_course

from grader.cluster import files
from grader.cluster.backend import cluster_backend, configured_tls, is_loopback
from grader.cluster.node import NodePlugin
from grader.course import load_course
from grader.errors import EnvironmentFault, UsageError

OLD = 1_000_000_000


@pytest.fixture
def course(tmp_path):
    return tiny_course(tmp_path / "course")


def test_packed_course_can_be_loaded_elsewhere(tmp_path, course):
    node = files.NodeFolder(files.pack(course), tmp_path)
    there = load_course(node.path)
    assert [p.name for p in there.suite_paths("add")] == [
        "public_add.py",
        "hidden_add.py",
    ]
    assert stat.S_IMODE(node.path.stat().st_mode) == 0o700
    node.close()
    assert not node.path.exists()


def test_file_that_leads_out_of_the_folder_is_refused(tmp_path):
    with pytest.raises(EnvironmentFault, match=r"outside of it: \.\./evil"):
        files.NodeFolder(msgspec.msgpack.encode({"../evil": b"x"}), tmp_path)
    assert not (tmp_path / "evil").exists()


def test_folder_of_a_killed_process_is_removed_by_the_next(tmp_path, course):
    alive = files.NodeFolder(files.pack(course), tmp_path)
    dead = tmp_path / f"{files.PREFIX}dead"
    young = tmp_path / f"{files.PREFIX}young"
    other = tmp_path / "something-else"
    for folder in (dead, young, other):
        folder.mkdir()
    for folder in (dead, other, alive.path):
        os.utime(folder, (OLD, OLD))
    files.sweep(tmp_path)
    assert not dead.exists()
    assert alive.path.exists()
    assert young.exists()
    assert other.exists()
    alive.close()


MOUNTS = (
    "/dev/sda / ext4 rw 0 0\n"
    "server:/home /home nfs4 rw 0 0\n"
    "tmpfs /home/me/local tmpfs rw 0 0\n"
)


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/tmp", "ext4"),
        ("/home/me", "nfs4"),
        ("/home/me/local/x", "tmpfs"),
        ("/homes", "ext4"),
    ],
)
def test_file_system_is_that_of_the_longest_mount_point(path, kind):
    assert files.file_system(Path(path), MOUNTS) == kind


def test_temporary_folder_on_a_shared_disk_is_refused(monkeypatch, tmp_path):
    monkeypatch.setattr(files, "MEMORY", tmp_path / "none")
    monkeypatch.setattr(files, "_mounts", lambda: "server:/ / nfs4 rw 0 0\n")
    with pytest.raises(EnvironmentFault, match=r"shared disk \(nfs4\); set TMPDIR"):
        files.private_base()
    monkeypatch.setattr(files, "_mounts", lambda: "/dev/sda / ext4 rw 0 0\n")
    assert files.private_base().is_dir()


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("tcp://127.0.0.1:8786", True),
        ("127.9.9.9:8786", True),
        ("tls://[::1]:8786", True),
        ("localhost:8786", True),
        ("tcp://10.0.0.5:8786", False),
        ("tcp://localhost.evil.example:1", False),
        ("node7:8786", False),
        ("", False),
    ],
)
def test_loopback_is_told_from_the_network(address, expected):
    assert is_loopback(address) is expected


def test_scheduler_on_another_machine_needs_encryption(course, tmp_path):
    authority = str(tmp_path / "ca.pem")
    for address in ("tcp://10.0.0.5:8786", "tls://10.0.0.5:8786"):
        with pytest.raises(UsageError, match="so the connection must be encrypted"):
            cluster_backend(course, address, isolation="full")
    with dask.config.set({"distributed.comm.tls.ca-file": authority}):
        assert configured_tls().require_encryption
        cluster_backend(course, "tls://10.0.0.5:8786", isolation="full")
        with pytest.raises(UsageError, match="use its tls:// address"):
            cluster_backend(course, "tcp://10.0.0.5:8786", isolation="full")


def test_scheduler_that_is_not_there_is_named(course, monkeypatch):
    monkeypatch.setattr("grader.cluster.backend.CONNECT_S", 0.2)
    make = cluster_backend(course, "tcp://127.0.0.1:1", isolation="none")
    with pytest.raises(EnvironmentFault, match=r"127\.0\.0\.1:1 cannot be reached"):
        make()


@pytest.mark.parametrize(
    ("versions", "engine", "message"),
    [
        ({"msgspec": "0"}, "e", r"a node has msgspec \d.*, the coordinator 0"),
        ({}, "e", "another version of the grader"),
    ],
)
def test_node_that_would_grade_differently_is_refused(
    course, versions, engine, message
):
    plugin = NodePlugin("g", files.pack(course), ["x"], 1.0, versions, engine)
    before = set(files.private_base().glob(f"{files.PREFIX}*"))
    with pytest.raises(EnvironmentFault, match=message):
        plugin.setup(None)
    assert set(files.private_base().glob(f"{files.PREFIX}*")) == before
