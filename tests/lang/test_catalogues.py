"""Every word has its Chinese, and no Chinese is left of words that are gone."""

import re
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from grader.lang.__main__ import main
from grader.lang.catalogue import OURS, po_path
from grader.lang.extract import PACKAGE, SENTENCES, course_words, our_words
from grader.lang.upkeep import student_catalogue, updated

PLACE = re.compile(r"\{\w+\}")
# Said the same way by a Chinese textbook.
SAME = {"FIFO", "PDF", "logits", "detach_hidden(None)", "dtype {0}", "None"}
SAME |= {"{0}: [dates]", "chunk_len={0}", "{some} of {all}"}


def entries(path):
    with path.open("rb") as file:
        return [m for m in read_po(file, locale="zh") if m.id]


@pytest.fixture(scope="module")
def catalogues(course):
    ours = our_words()
    theirs = {m: w for m, w in course_words(course).items() if m not in ours}
    return {
        po_path(OURS, "zh"): ours,
        po_path(course.folder("locale"), "zh"): theirs,
    }


def test_no_entry_is_missing_stale_or_empty(catalogues):
    for path, found in catalogues.items():
        _, told = updated(path, found, "zh")
        assert told == [], "run: python -m grader.lang, then translate what is empty"


WARNS = re.compile(r"(submission|handin|handins\[0\])\.warnings|self\._warn\(")


def test_every_module_that_warns_of_a_hand_in_is_read_for_its_words():
    read = {path for name in SENTENCES for path in PACKAGE.glob(name)}
    intake = set((PACKAGE / "intake").rglob("*.py"))
    warn = {p for p in intake if WARNS.search(p.read_text(encoding="utf-8"))}
    assert len(warn) > 5
    assert warn <= read


def test_every_place_of_a_template_stands_in_its_translation(catalogues):
    for path in catalogues:
        for message in entries(path):
            ids = message.id if isinstance(message.id, tuple) else (message.id,)
            strings = message.string if len(ids) > 1 else (message.string,)
            for said in strings:
                assert set(PLACE.findall(said)) == set(PLACE.findall(ids[-1])), ids


def test_translations_are_chinese(catalogues):
    for path in catalogues:
        for message in entries(path):
            same = message.id in SAME or str(message.id).startswith(
                ("day 4, ", "score[t] = ")
            )
            if isinstance(message.id, str) and not same:
                words = PLACE.sub("", message.id)
                chinese = re.search(r"[\u3000-\u9fff\uff00-\uffef]", message.string)
                if re.search(r"[a-z]{3}", words) and " " in words.strip():
                    assert chinese, message.id


def test_one_word_for_one_thing(catalogues, root):
    """掩码 and 填充 are the words; their rivals appear nowhere."""
    texts = [path.read_text(encoding="utf-8") for path in catalogues]
    folders = ("grader/mistakes", "quiz")
    texts += [
        path.read_text(encoding="utf-8")
        for folder in folders
        for path in (root / folder).rglob("*.toml")
    ]
    for rival in ("屏蔽", "蒙版", "遮罩", "忘记门", "注意力机制权重"):
        assert not any(rival in text for text in texts), rival


def test_titles_of_the_course_are_those_of_a_textbook(course):
    titles = {e.name: e.title_zh for e in course.exercises.values()}
    assert titles["truncated_bptt"] == "截断 BPTT"
    assert titles["forget_bias"] == "遗忘门偏置"
    assert "掩码" in titles["masked_softmax"]


def test_students_get_the_words_of_public_checks_alone(course):
    text = student_catalogue(course, "zh").decode()
    public = course_words(course, public_only=True)
    hidden = [m for m in course_words(course) if m not in public]
    assert len(hidden) > 100
    assert all(f'msgid "{m}"' in text for m in list(public)[:40] if '"' not in m)
    assert not any(f'msgid "{m}"' in text for m in hidden)


def test_new_words_come_in_empty_and_old_ones_go(tmp_path: Path):
    path = tmp_path / "zh.po"
    first, told = updated(path, {"a word": "x.py", ("one", "many"): "y.py"}, "zh")
    assert told == ["new: a word", "new: ('one', 'many')"]
    path.write_text(first.replace('"a word"\nmsgstr ""', '"a word"\nmsgstr "词"'))
    second, told = updated(path, {"a word": "x.py", "other": "z.py"}, "zh")
    assert told == ["new: other", "gone: ('one', 'many')"]
    assert 'msgstr "词"' in second
    assert "many" not in second


def test_check_names_what_is_missing_and_writes_nothing(tmp_path: Path, capsys):
    (tmp_path / "course.toml").write_text(
        'schema = 1\nname = "t"\ntitle = "T"\n'
        '[[chapters]]\nid = "c"\ntitle = "C"\n'
        '[[exercises]]\nname = "e"\nchapter = "c"\ntitle = "E"\nsection = "part one"\n'
    )
    (tmp_path / "locale/zh/LC_MESSAGES").mkdir(parents=True)
    path = tmp_path / "locale/zh/LC_MESSAGES/messages.po"
    path.write_bytes(b"")
    assert main(["--course", str(tmp_path), "--check"]) == 1
    assert "new: part one" in capsys.readouterr().out
    assert path.read_bytes() == b""
