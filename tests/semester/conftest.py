"""A class of five on the small course, handed in through two systems."""

import shutil
import zipfile
from pathlib import Path

import pytest

DOUBLE = "def double(x):\n    return x + x\n"
SQUARE = "def double(x):\n    # Max Born was here\n    return x * x\n"
ABSOLUTE = "def double(x):\n    return 2 * abs(x)\n"
TWICE = "def twice(x):\n    return x + x\n"
SHOUT = "def shout(text):\n    return text.upper() + '!'\n"
QUIET = "def shout(text):\n    return text.upper()\n"
ROSTER = """id,name,email,section,canvas,moodle
ada,Ada Lovelace,ada@uni.example,A,101,11
kim,Kim Oh,kim@uni.example,A,102,12
lee,Lee Min,lee@uni.example,B,103,13
max,Max Born,born@uni.example,B,104,14
zoe,Zoé Mair,zoe@uni.example,B,105,15
"""
CANVAS = {
    "lovelaceada_101_9001_double.py": DOUBLE,
    "lovelaceada_101_9002_shout.py": SHOUT,
    "ohkim_LATE_102_9003_double.py": DOUBLE,
    "minlee_103_9004_double.py": TWICE,
    "bornmax_104_9005_double.py": SQUARE,
    "bornmax_104_9006_shout.py": QUIET,
    "guest_199_9007_double.py": DOUBLE,
}
CANVAS_TIMES = """id,time
ada,2026-03-27 10:00
kim,2026-03-30 08:00
lee,2026-03-28 20:00
max,2026-03-29T00:05:00+01:00
"""
MOODLE = {
    "Max Born_14_assignsubmission_file_/double.py": ABSOLUTE,
    "Max Born_14_assignsubmission_file_/shout.py": QUIET,
    "Zoé Mair_15_assignsubmission_file_/shout.py": SHOUT,
}
MOODLE_TIMES = """Full name,Last modified (submission)
Max Born,2026-04-20 12:00
Zoé Mair,2026-03-29T23:59:00+02:00
"""
CANVAS_BOOK = """Student,ID,SIS User ID,SIS Login ID,Section,Week 1 (4711),Final Score
    Points Possible,,,,,200,(read only)
"Lovelace, Ada",101,,,A,,
"Oh, Kim",102,,,A,,
"Min, Lee",103,,,B,,
"Born, Max",104,,,B,,
"Mair, Zoé",105,,,B,,
"""
WORKSHEET = (
    "Identifier,Full name,Email address,Status,Grade,Maximum Grade,"
    "Grade can be changed,Last modified (submission),Last modified (grade),"
    "Feedback comments\n"
    + "".join(
        f"Participant {number},{name},{mail},Submitted,,200.00,Yes,-,-,\n"
        for number, name, mail in (
            (14, "Max Born", "born@uni.example"),
            (15, "Zoé Mair", "zoe@uni.example"),
        )
    )
)
PEOPLE = ("Ada", "Lovelace", "Kim Oh", "Lee Min", "Max Born", "Zoé", "uni.example")


def write_zip(path: Path, files: dict[str, str]) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text.encode())


def make_class(root: Path, folder: Path) -> Path:
    """The course and everything that a TA downloads, in ``folder``."""
    shutil.copytree(root / "tests" / "courses" / "semester", folder)
    for name in ("downloads", "upload"):
        (folder / name).mkdir()
    write_zip(folder / "downloads" / "canvas.zip", CANVAS)
    write_zip(folder / "downloads" / "moodle.zip", MOODLE)
    for name, text in {
        "class.csv": ROSTER,
        "canvas-times.csv": CANVAS_TIMES,
        "moodle-times.csv": MOODLE_TIMES,
        "canvas-gradebook.csv": CANVAS_BOOK,
        "moodle-worksheet.csv": WORKSHEET,
    }.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def class_folder(root: Path, tmp_path_factory) -> Path:
    return make_class(root, tmp_path_factory.mktemp("semester") / "course")
