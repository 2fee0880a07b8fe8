"""What lies at a place already: nothing of it is lost, and no report is a hand-in."""

import sqlite3

import pytest

from grader.gradebook import database


def files(folder):
    return {
        p.relative_to(folder): p.read_bytes() for p in folder.rglob("*") if p.is_file()
    }


# -- where grade writes -----------------------------------------------------------


def test_folder_of_the_hand_ins_is_no_place_for_results(call, folder):
    before = files(folder / "hand_in")
    for out in ("hand_in", "hand_in/../hand_in"):
        code, said = call(f"grade hand_in --isolation none --out {out}")
        assert code == 2
        assert said[-1].startswith(f"grader: error: {out} holds the hand-ins, and ")
        assert said[-1].endswith("; name another folder with --out.")
    assert files(folder / "hand_in") == before


@pytest.mark.parametrize("name", ["index.html", "results.jsonl", "reports/ta/a.html"])
@pytest.mark.parametrize("command", ["", " --dry-run"])
def test_pages_of_somebody_else_are_not_overwritten(call, folder, name, command):
    path = folder / "site" / name
    path.parent.mkdir(parents=True)
    path.write_text("mine")
    code, said = call(f"grade hand_in --isolation none --out site{command}")
    told = f"site has no gradebook, but {name.partition('/')[0]}, which would be over"
    assert (code, told in said[-1]) == (2, True), said
    assert list(files(folder / "site").values()) == [b"mine"]


def test_nothing_stored_makes_no_gradebook(call, folder):
    code, said = call("grade --stored --isolation none --out tpyo")
    assert code == 2
    assert "tpyo/gradebook.sqlite does not exist, so nothing is stored" in said[-1]
    assert not (folder / "tpyo").exists()


# -- where other commands write ---------------------------------------------------

FOLDERS = ["feedback folder --out out --to {}", "export gradescope out --to {}"]


@pytest.mark.parametrize("line", FOLDERS)
def test_folder_that_holds_other_things_is_not_replaced(call, folder, line):
    (folder / "thesis").mkdir()
    (folder / "thesis" / "chapter.tex").write_text("years")
    code, said = call(line.format("thesis"))
    assert code == 2
    assert "thesis holds other things (chapter.tex), which would be lost" in said[-1]
    assert (folder / "thesis" / "chapter.tex").read_text() == "years"


@pytest.mark.parametrize("line", FOLDERS)
def test_file_is_not_replaced_by_a_folder(call, folder, line):
    code, said = call(line.format("file"))
    assert (code, "file is no folder; name one" in said[-1]) == (2, True), said
    assert (folder / "file").read_text() == "in the way"


@pytest.mark.parametrize("line", FOLDERS)
def test_folder_written_before_is_written_anew(call, folder, line):
    (folder / "back").mkdir()  # an empty one may be used
    assert call(line.format("back"))[0] == 0
    first = files(folder / "back")
    (folder / "back" / "gone.html").write_text("a student who left")
    assert call(line.format("back"))[0] == 0
    assert files(folder / "back") == first


@pytest.mark.parametrize("place", ["hand_in", "/dev/null"])
@pytest.mark.parametrize("format", ["csv", "json", "junit"])
def test_export_takes_the_place_of_ordinary_files_alone(call, format, place):
    code, said = call(f"export {format} out --to {place}")
    assert code == 2
    assert said[-1].startswith(f"grader: error: {place} is ")
    assert said[-1].endswith("; name a file to write.")


def test_link_to_a_file_goes_on_leading_there(call, folder):
    (folder / "shared").mkdir()
    (folder / "grades.csv").symlink_to("shared/grades.csv")
    for _ in range(2):  # also while it leads nowhere yet
        assert call("export csv out --to grades.csv")[0] == 0
    assert (folder / "grades.csv").is_symlink()
    assert "ada" in (folder / "shared" / "grades.csv").read_text(encoding="utf-8-sig")


# -- what befalls a gradebook ------------------------------------------------------

READERS = ["export csv out", "report out", "grades --out out"]


@pytest.mark.parametrize(
    "line", [*READERS, "grade --stored --isolation none --out out"]
)
def test_damaged_gradebook_is_named_in_a_sentence(call, folder, line):
    path = folder / "out" / "gradebook.sqlite"
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA journal_mode = DELETE")
        (size,) = db.execute("PRAGMA page_size").fetchone()
        query = "SELECT rootpage FROM sqlite_schema WHERE name IN ('current', 'finals')"
        pages = [page for (page,) in db.execute(query)]
    db.close()
    with path.open("r+b") as file:
        for page in pages:
            file.seek((page - 1) * size)
            file.write(b"\xff" * size)
    code, said = call(line)
    assert code == 2, said
    assert "out/gradebook.sqlite is damaged; put a copy in its place (" in said[-1]


def test_gradebook_that_is_held_by_another_program_is_named(call, folder, monkeypatch):
    monkeypatch.setattr(database, "BUSY_S", 0.01)
    holder = sqlite3.connect(folder / "out" / "gradebook.sqlite", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    code, said = call("comment ada add well --out out")
    holder.close()
    assert code == 3, said
    assert "gradebook.sqlite is held by another program; run the command" in said[-1]


def test_folder_in_the_gradebooks_place_is_named(call, folder):
    (folder / "new" / "gradebook.sqlite").mkdir(parents=True)
    code, said = call("grade hand_in --isolation none --out new")
    assert code == 2, said
    assert "gradebook.sqlite is a folder, not a gradebook; name another" in said[-1]
