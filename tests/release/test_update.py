"""``update`` replaces engine and checks and never what a student wrote."""

import shutil
import zipfile

import pytest

from grader.course import load_course
from grader.errors import UsageError
from grader.release import bundle, manifest
from grader.release.update import update

MINE = "def double(x):\n    return x + x\n"


@pytest.fixture
def make(root, tmp_path):
    """Bundles of a small course in the versions asked for, each a zip."""
    source = tmp_path / "source"
    shutil.copytree(root / "tests/courses/engine", source)
    (source / "solutions/boundary.py").unlink()

    def zipped(version, **changes):
        course = load_course(source)
        course.version = version
        for path, (old, new) in changes.items():
            file = source / path.replace("__", "/")
            file.write_text(file.read_text().replace(old, new))
        return bundle.write(course, tmp_path / "dist", {})

    return zipped


@pytest.fixture
def home(make, tmp_path):
    """An unpacked first version."""
    with zipfile.ZipFile(make("1.9")) as archive:
        archive.extractall(tmp_path / "home")
    return tmp_path / "home" / "engine"


def correct(make):
    """Version 1.10 with a corrected suite and a corrected skeleton."""
    return make(
        "1.10",
        **{
            "suites__public_plain.py": ("Twice 2 is 4.", "Twice two is four."),
            "solutions__plain.py": ("Twice its argument.", "Two times its argument."),
        },
    )


def test_checks_are_replaced_and_untouched_skeletons_too(make, home):
    done = update(home, correct(make))
    assert (done.version_before, done.version) == ("1.9", "1.10")
    assert "Twice two is four." in (home / "suites/public_plain.py").read_text()
    assert "Two times" in (home / "exercises/plain.py").read_text()
    assert manifest.read(home).version == "1.10"
    assert done.kept == []


def test_file_that_the_student_changed_is_kept_and_named(make, home):
    (home / "exercises/plain.py").write_text(MINE)
    done = update(home, correct(make))
    assert (home / "exercises/plain.py").read_text() == MINE
    assert done.kept == ["exercises/plain.py"]
    again = update(home, correct(make))
    assert (home / "exercises/plain.py").read_text() == MINE
    assert again.written == []


def test_student_who_changed_a_check_gets_the_right_one_back(make, home):
    suite = home / "suites/public_plain.py"
    suite.write_text("raise SystemExit\n")
    done = update(home, make("1.9"))
    assert done.written == ["suites/public_plain.py"]
    assert "Twice 2 is 4." in suite.read_text()


def test_what_a_newer_bundle_no_longer_has_is_removed_unless_it_is_yours(make, home):
    made = manifest.read(home)
    for name, yours in (("grader/old.py", False), ("exercises/old.py", True)):
        (home / name).write_text("x = 1\n")
        made.files[name] = manifest.File("0", yours)
    (home / manifest.NAME).write_bytes(manifest.encode(made))
    done = update(home, correct(make))
    assert done.removed == ["grader/old.py"]
    assert (home / "exercises/old.py").exists()


def test_older_bundle_is_refused_and_changes_nothing(make, home):
    before = {p: p.read_bytes() for p in home.rglob("*") if p.is_file()}
    with pytest.raises(UsageError, match=r"is version 1\.8; here is 1\.9 already"):
        update(home, make("1.8"))
    assert before == {p: p.read_bytes() for p in home.rglob("*") if p.is_file()}


def test_damaged_foreign_and_hostile_archives_are_refused(make, home, tmp_path):
    good = correct(make)
    with zipfile.ZipFile(good) as archive:
        files = {n: archive.read(n) for n in archive.namelist()}

    def rewritten(**changes):
        target = tmp_path / "changed.zip"
        with zipfile.ZipFile(target, "w") as archive:
            for name, data in {**files, **changes}.items():
                archive.writestr(name, data)
        return target

    with pytest.raises(UsageError, match=r"damaged at suites/public_plain\.py"):
        update(home, rewritten(**{"engine/suites/public_plain.py": b"x"}))
    made = manifest.decode(files["engine/bundle.json"], "here")
    made.files["../evil.py"] = manifest.File(manifest.digest(b"x"))
    hostile = {"engine/bundle.json": manifest.encode(made), "engine/../evil.py": b"x"}
    with pytest.raises(UsageError, match="outside of the bundle"):
        update(home, rewritten(**hostile))
    del made.files["../evil.py"]
    made.course = "other"
    with pytest.raises(UsageError, match="is for other, not for engine"):
        update(home, rewritten(**{"engine/bundle.json": manifest.encode(made)}))
    (tmp_path / "text.zip").write_bytes(b"no zip at all")
    with pytest.raises(UsageError, match="cannot be read"):
        update(home, tmp_path / "text.zip")
    assert not (home.parent / "evil.py").exists()


def test_folder_that_is_no_bundle_is_one_sentence(make, tmp_path):
    with pytest.raises(UsageError, match="is no student bundle"):
        update(tmp_path, make("1"))


def test_versions_compare_as_numbers():
    assert manifest.order("2026.1.10") > manifest.order("2026.1.9")
    assert manifest.order("2026.1") < manifest.order("2026.1.1")
