"""Sheets among what was handed in: renamed, in archives, beside notebooks."""

import io
import json
import zipfile

import pytest

from grader.intake import read

EXERCISES = ("softmax", "ideas")
ASKS = {"softmax": ["softmax"]}
SHEET = 'sky = "b"\n'
CODE = "def softmax(x):\n    return x\n"
NOTEBOOK = json.dumps(
    {
        "cells": [{"cell_type": "code", "source": CODE, "metadata": {}, "outputs": []}],
        "metadata": {},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
)


def take(path, count=1):
    found = read([path], EXERCISES, asks=ASKS, quizzes=["ideas"])
    assert len(found.submissions) == count
    return found.submissions[0] if count == 1 else found.submissions


def fill(folder, **files):
    folder.mkdir(exist_ok=True)
    for name, data in files.items():
        path = folder / name
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return folder


@pytest.mark.parametrize(
    "name",
    [
        "ideas.toml",
        "Ideas.toml",
        "ideas (1).toml",
        "ideas_final.toml",
        "ideas.toml.txt",
        "ideas.txt",
        "idea.toml",
        "lee_ideas.toml",
    ],
)
def test_a_renamed_sheet_is_taken(tmp_path, name):
    files = {"softmax.py": CODE, name: SHEET}
    found = take(fill(tmp_path / "lee", **files))
    assert found.files["ideas"].text == SHEET
    assert found.files["ideas"].kind == "sheet"
    assert found.files["softmax"].kind == "py"


def test_sheets_come_out_of_archives(tmp_path):
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("work/ideas.toml", SHEET)
        archive.writestr("work/softmax.py", CODE)
    path = tmp_path / "lee.zip"
    path.write_bytes(inner.getvalue())
    assert set(take(path).files) == {"ideas", "softmax"}


def test_a_sheet_lies_beside_a_notebook(tmp_path):
    files = {"homework.ipynb": NOTEBOOK, "ideas.toml": SHEET}
    found = take(fill(tmp_path / "lee", **files))
    assert found.files["softmax"].kind == "ipynb"
    assert found.files["ideas"].text == SHEET


def test_a_class_of_loose_files_is_grouped_by_student(tmp_path):
    files = {
        "lee_softmax.py": CODE,
        "lee_ideas.toml": SHEET,
        "kim_softmax.py": CODE,
        "kim_ideas.toml": 'sky = "a"\n',
    }
    found = take(fill(tmp_path / "class", **files), count=2)
    assert {s.id: s.files["ideas"].text for s in found} == {
        "kim": 'sky = "a"\n',
        "lee": SHEET,
    }


def test_a_sheet_alone_is_a_hand_in(tmp_path):
    fill(tmp_path, **{"ideas.toml": SHEET})
    assert set(take(tmp_path / "ideas.toml").files) == {"ideas"}


def test_code_is_no_sheet_and_other_settings_are_none_either(tmp_path):
    files = {
        "ideas.py": "x = 1\n",
        "pyproject.toml": "[project]\n",
        "my_ideas_so_far.txt": "notes\n",
        "softmax.toml": "x = 1\n",
        "softmax.py": CODE,
    }
    found = take(fill(tmp_path / "lee", **files))
    assert set(found.files) == {"softmax"}
    assert set(found.unused) == set(files) - {"softmax.py"}


def test_a_blank_sheet_gives_way_to_a_filled_one(tmp_path):
    folder = fill(tmp_path / "lee", **{"ideas.toml": 'sky = ""\n'})
    fill(folder / "mine", **{"ideas.toml": SHEET})
    assert take(folder).files["ideas"].path == "mine/ideas.toml"


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf" + "# 天空\nsky = b\n".encode(),
        "# 天空是什么颜色\nsky = b\n".encode("gbk"),
        "# 天空\nsky = b\n".encode("utf-16"),
    ],
    ids=["bom", "gbk", "utf-16"],
)
def test_other_encodings_are_read(tmp_path, data):
    found = take(fill(tmp_path / "lee", **{"ideas.toml": data}))
    assert found.files["ideas"].text.lstrip("\ufeff").startswith("# 天空")


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "ideas.toml is empty (0 bytes); hand in the one with answers."),
        (b"%PDF-1.7", "ideas.toml is a PDF, not an answer sheet; hand in ideas.toml."),
        (b"sky = b\n" * 20_000, "ideas.toml is too big"),
        (b"sky = \0b\n", "ideas.toml holds a null byte"),
    ],
)
def test_what_cannot_be_read_blocks_the_quiz_alone(tmp_path, data, sentence):
    files = {"softmax.py": CODE, "ideas.toml": data}
    found = take(fill(tmp_path / "lee", **files))
    assert set(found.files) == {"softmax"}
    assert found.blocked["ideas"].startswith(sentence)
