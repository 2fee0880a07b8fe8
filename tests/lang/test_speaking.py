"""Which language is spoken, and sentences with values in them."""

import re

import pytest

from grader.errors import UsageError
from grader.lang import _, choose, plural, sentence, speaking, spoken
from grader.lang.catalogue import Words, load
from grader.lang.templates import Templates

PLACE = re.compile(r"\{(\w+)\}")


@pytest.mark.parametrize(
    ("environ", "language"),
    [
        ({}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "en_US.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "zh_CN.UTF-8", "LC_MESSAGES": "en_GB"}, "en"),
        ({"LANG": "en_US", "LC_ALL": "zh_TW"}, "zh"),
        ({"LANG": "de_DE", "LANGUAGE": "fr:zh_CN:en"}, "zh"),
        ({"LANG": "C", "LANGUAGE": "zh"}, "en"),
        ({"LC_ALL": "C.UTF-8", "LANG": "zh_CN"}, "en"),
        ({"LANG": "C.UTF-8", "LANGUAGE": "zh"}, "zh"),
        ({"LANG": "", "LANGUAGE": "zh"}, "zh"),
    ],
)
def test_the_environment_chooses(environ, language):
    assert choose("", environ) == language


def test_what_is_asked_for_wins_and_an_unknown_language_is_refused():
    assert choose("zh_CN", {"LANG": "en_US"}) == "zh"
    assert choose("en", {"LANG": "zh_CN"}) == "en"
    with pytest.raises(UsageError, match=r"--lang fr: it is one of en, zh\."):
        choose("fr", {})


def test_a_language_is_spoken_within_its_block_only():
    assert (spoken(), _("passed")) == ("en", "passed")
    with speaking("zh"):
        assert (spoken(), _("passed")) == ("zh", "通过")
        assert _("done: {done} of {total} exercises", done=1, total=2).startswith(
            "已完"
        )
        assert plural("and {n} more:", "and {n} more:", 3) == "另有 3 项："
    assert spoken() == "en"
    assert plural("{n} dog", "{n} dogs", 1) == "1 dog"


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        ("shape (2, 3)", "形状 (2, 3)"),
        ("NaN in 2 of 8: [0.1, nan]", "8: [0.1, nan] 个中有 2 个 NaN"),
        ("weights", "注意力权重"),
        ("weights: got", "注意力权重：实际"),
        ("encode_packed: argument 2", "encode_packed: 第 2 个参数"),
        (
            "RuntimeError was raised at line 13 in this check.",
            "这项检查中，第 13 行抛出了 RuntimeError。",
        ),
        (
            "OSError was raised in this check. This exercise's sandbox has no network.",
            "这项检查中抛出了 OSError。本练习的沙箱没有网络。",
        ),
        ("ValueError: expected 2 values", "ValueError: expected 2 values"),
        ("[0.1, 0.2]", "[0.1, 0.2]"),
        ("something nobody has translated", "something nobody has translated"),
        ("", ""),
    ],
)
def test_a_filled_sentence_is_translated_by_its_template(course, english, chinese):
    assert sentence(english) == english
    with speaking("zh", course):
        assert sentence(english) == chinese


def filled(template, values):
    return PLACE.sub(lambda place: values[place[1]], template)


def test_every_template_is_found_again_when_it_is_filled(course):
    """With numbers in its places, each comes out as its own translation."""
    words = load("zh", course)
    missed = []
    for template, chinese in words._known.items():
        names = list(dict.fromkeys(PLACE.findall(template)))
        if not names or not Templates({template: chinese})._ids:
            continue
        values = {name: str(31 + at) for at, name in enumerate(names)}
        if words.sentence(filled(template, values)) != filled(chinese, values):
            missed.append(template)
    assert missed == []


def test_a_long_hostile_text_costs_nothing(course):
    words = load("zh", course)
    text = "a of " * 100_000
    assert words.sentence(text) == text


def test_places_are_filled_in_the_order_of_the_translation():
    words = Words("zh", {"{0} beats {1}": "{1} 败给 {0}"})
    assert words.sentence("rock beats scissors") == "scissors 败给 rock"


def test_values_that_are_words_are_translated_too():
    words = Words(
        "zh", {"{0}: got": "{0}：实际", "shares of {0}": "{0}的份额", "x": "甲"}
    )
    assert words.sentence("shares of x: got") == "甲的份额：实际"
