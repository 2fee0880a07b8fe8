"""``handin`` and what intake makes of its receipt."""

import json
import zipfile

import msgspec
import pytest

from grader.errors import UsageError
from grader.intake import read
from grader.release.handin import Receipt, pack, read_receipt, write
from grader.submission import Source, Submission

ASKS = {"plain": ["double"]}
TEXT = "def double(x):\n    return 2 * x\n"


def source(text=TEXT, path="plain (1).py"):
    return Source("plain", path, text.encode(), "py", text)


def take(path):
    (found,) = read([path], ["plain"], asks=ASKS).submissions
    return found


def test_zip_holds_the_file_under_its_right_name_and_a_receipt(course, tmp_path):
    mine = Submission("me", {"plain": source()})
    receipt = write(course, mine, "4 of 4", tmp_path / "out.zip")
    with zipfile.ZipFile(tmp_path / "out.zip") as archive:
        assert sorted(archive.namelist()) == ["plain.py", "receipt.json"]
        assert archive.read("plain.py") == TEXT.encode()
    beside = json.loads((tmp_path / "out.receipt.json").read_text())
    assert beside["files"] == {"plain.py": source().sha256}
    assert beside["public"] == "4 of 4"
    assert receipt.bundle is None  # the project itself is no bundle


def test_nothing_to_hand_in_is_one_sentence(course):
    with pytest.raises(UsageError, match="there is nothing to hand in"):
        pack(course, Submission("me"), "0 of 4")


def handed_in(tmp_path, receipt, text=TEXT):
    folder = tmp_path / "someone"
    folder.mkdir()
    (folder / "plain.py").write_text(text)
    (folder / "receipt.json").write_bytes(receipt)
    return take(folder)


def made(**changes):
    fields = {"files": {"plain.py": source().sha256}, "bundle": "2026.1", **changes}
    return msgspec.json.encode(Receipt(1, "engine", made="2026-09-01", **fields))


def test_receipt_names_the_bundle_and_is_no_stray_file(tmp_path):
    found = handed_in(tmp_path, made())
    assert found.bundle == "2026.1"
    assert found.unused == []
    assert found.warnings == []


def test_file_changed_after_its_receipt_is_said(tmp_path):
    found = handed_in(tmp_path, made(), TEXT + "# later\n")
    assert "plain.py was changed after its receipt was made." in found.warnings


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"[1]", b"\xff\xfe", made(bundle="<script>"), made(bundle="x" * 99)],
)
def test_receipt_that_is_none_of_ours_is_ignored(tmp_path, data):
    assert read_receipt(data) is None
    found = handed_in(tmp_path, data)
    assert found.bundle is None
    assert "plain" in found.files


def test_handin_from_a_bundle_is_graded_and_its_receipt_is_repeated(
    unpacked, run, course, tmp_path
):
    """The whole way: a bundle's hand-in, read by intake, with equal fingerprints."""
    right = course.folder("solutions") / "masked_softmax.py"
    mine = tmp_path / "masked_softmax.py"
    mine.write_bytes(right.read_bytes())
    out = tmp_path / "作业 1.zip"
    done = run(unpacked, "handin", "--file", mine, "--out", out, "--json")
    assert done.returncode == 0, done.stderr
    receipt = json.loads(done.stdout)["receipt"]
    asks = {e.name: e.asks for e in course.exercises.values()}
    (found,) = read([out], list(course.exercises), asks=asks).submissions
    assert found.bundle == course.version
    assert found.files["masked_softmax"].sha256 == receipt["files"]["masked_softmax.py"]
    assert receipt["public"].startswith("7 of ")
