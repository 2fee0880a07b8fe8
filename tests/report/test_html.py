import base64
import hashlib
import itertools
import re
from html.parser import HTMLParser

import jinja2
import pytest
import report_samples as samples

from grader.errors import EnvironmentFault
from grader.lang import speaking
from grader.report import paths
from grader.report.html import render_report, write_reports
from grader.report.index import render_index
from grader.report.pages import environment, static

COURSE = samples.course()
VOID = {"meta", "input", "br", "hr", "img", "link"}
XSS = "\"'><img src=x onerror=alert(1)><script>alert(2)</script>{{ 7*7 }}{% raw %}"


class Page(HTMLParser):
    """Collects tags with attributes, and checks that they nest."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.open, self.wrong = [], [], []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)

    def handle_data(self, data):
        self.text += data

    def all(self, tag):
        return [attrs for name, attrs in self.tags if name == tag]


def report(result=None, kind="student", **options):
    return render_report(result or samples.every_outcome(), COURSE, kind, **options)


def index():
    results = [*samples.batch(30), samples.every_outcome("s9999")]
    return render_index(results, COURSE, identical=[["s0001", "s0002"]])


PAGES = {"student": report(), "ta": report(kind="ta"), "index": index()}
pages = pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)


@pages
def test_page_is_well_formed_and_every_id_is_unique(page):
    parsed = Page(page)
    ids = [attrs["id"] for _, attrs in parsed.tags if "id" in attrs]

    assert parsed.wrong == []
    assert parsed.open == []
    assert len(ids) == len(set(ids))


@pages
def test_links_inside_the_page_lead_somewhere(page):
    parsed = Page(page)
    ids = {attrs.get("id") for _, attrs in parsed.tags}
    inner = [a["href"][1:] for a in parsed.all("a") if a["href"].startswith("#")]

    assert inner
    assert set(inner) <= ids


@pages
def test_page_is_self_contained(page):
    parsed = Page(page)
    loading = {"src", "srcset", "background", "data", "poster"}

    assert not parsed.all("link")
    assert not any(loading & set(attrs) for _, attrs in parsed.tags)
    assert "url(h" not in page
    assert "@import" not in page


@pages
def test_policy_allows_only_what_is_in_the_page(page):
    def hashed(text):
        digest = hashlib.sha256(text.encode()).digest()
        return f"'sha256-{base64.b64encode(digest).decode()}'"

    (policy,) = [
        m["content"]
        for m in Page(page).all("meta")
        if m.get("http-equiv") == "Content-Security-Policy"
    ]
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    scripts = re.findall(r"<script>(.*?)</script>", page, re.S)
    (style,) = re.findall(r"<style>(.*?)</style>", page, re.S)

    assert rules["default-src"] == "'none'"
    assert rules["style-src"] == hashed(style)
    assert rules.get("script-src", "") == " ".join(map(hashed, scripts))
    assert not re.search(r"<[^>]* (style|on\w+)=", page)


@pages
def test_page_says_its_language_and_fits_a_phone(page):
    parsed = Page(page)

    assert parsed.all("html") == [{"lang": "en"}]
    assert {"name": "viewport", "content": "width=device-width, initial-scale=1"} in (
        parsed.all("meta")
    )


@pages
def test_every_header_cell_says_what_it_heads(page):
    heads = Page(page).all("th")

    assert heads
    assert {h["scope"] for h in heads} <= {"col", "row", "rowgroup"}


@pages
def test_headings_never_skip_a_level(page):
    levels = [int(tag[1]) for tag, _ in Page(page).tags if re.fullmatch(r"h[1-6]", tag)]
    steps = [b - a for a, b in itertools.pairwise(levels)]

    assert levels[0] == 1
    assert max(steps) == 1


def test_language_of_the_page_can_be_chosen():
    with speaking("zh"):
        assert '<html lang="zh">' in report()


def test_reports_have_no_script_at_all():
    assert "<script" not in PAGES["student"] + PAGES["ta"]


def test_text_of_students_never_becomes_markup_or_template():
    check = samples.check(
        XSS,
        samples.Outcome.FAILED,
        **dict.fromkeys(("message", "expected", "got", "hint", "trace", "output"), XSS),
        mistake=XSS,
        tables=[samples.Table(XSS, [[1.0]], [1], XSS)],
    )
    part = samples.exercise([check], warnings=[XSS], source=XSS)
    result = samples.result(
        {"masked_softmax": part, XSS: part}, XSS, warnings=[XSS], message=XSS
    )
    for kind in ("student", "ta"):
        page = render_report(result, COURSE, kind, name=XSS, identical=[XSS + "2"])
        assert "<img" not in page
        assert "<script" not in page
        assert "{{ 7*7 }}" in page
    listed = render_index([result], COURSE, names={XSS: XSS}, identical=[[XSS, "a"]])
    assert "<img" not in listed
    assert listed.count("<script") == 2


def test_templates_escape_and_refuse_unknown_names():
    env = environment()

    assert env.autoescape is True
    with pytest.raises(jinja2.UndefinedError, match="'nothing' is undefined"):
        env.from_string("{{ nothing }}").render()


def test_verdict_stands_in_words():
    text = Page(PAGES["student"]).text

    for said in (
        "failed, 0 of 10 points",
        "your code raised an error, 0 of 10 points",
        "took too long, 0 of 10 points",
        "the Python process died, 0 of 10 points",
        "not run, 0 of 10 points",
        "not written yet",
        "no file",
        "public: 3 of 11; hidden checks decide the rest (1 of 7)",
    ):
        assert said in text, said


def test_number_table_has_mask_sums_and_the_row_to_look_at_in_words():
    page = PAGES["student"]
    text = Page(page).text

    assert '<td class="p5 masked">(0.250)</td>' not in page
    assert re.search(r'<td class="p\d masked">\(0\.250\)</td>', page)
    assert '<td class="sum">0.830</td>' in page
    assert "look here ▶ 1" in text
    assert "( ) hatched: masked out" in text


def test_unwritten_exercise_has_no_failed_checks_above_the_fold():
    checks = [samples.check(f"c{n}", samples.Outcome.NOT_WRITTEN) for n in range(3)]
    page = report(samples.result({"masked_softmax": samples.exercise(checks)}))

    assert "Nothing is written here yet" in page
    assert "<article" not in page


@pytest.mark.parametrize("kind", ["student", "ta"])
def test_exercise_without_a_file_takes_one_line_unless_something_was_guessed(kind):
    gone = samples.check("c", samples.Outcome.NOT_RUN, message="No file a.py.")
    missing = samples.exercise([gone], status="missing")
    page = report(samples.result({"masked_softmax": missing}), kind)
    assert '<li id="masked_softmax">' in page
    assert "No file a.py." in page
    assert '<section id="masked_softmax">' not in page

    missing.warnings = ["a.txt may be meant."]
    page = report(samples.result({"masked_softmax": missing}), kind)
    assert '<section id="masked_softmax">' in page
    assert "Not handed in" not in page


def test_equal_results_give_equal_pages():
    assert report() == PAGES["student"]
    assert index() == PAGES["index"]


def luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a, b):
    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


SCHEMES = [
    dict(re.findall(r"--([\w-]+): (#\w{6})", block))
    for block in re.findall(r":root \{(.*?)\}", static("style.css"), re.S)
]


@pytest.mark.parametrize("colours", SCHEMES, ids=["light", "dark"])
def test_text_has_the_contrast_that_wcag_aa_asks_for(colours):
    words = ("text", "quiet", "link", "good", "bad", "warn", "ours")
    pairs = [(w, ground) for w in words for ground in ("page", "panel")]
    shades = [f"{sign}{n}" for sign in "pn" for n in range(1, 6)]
    pairs += [("text", ground) for ground in (*shades, "mark")]

    low = {p: round(contrast(*(colours[c] for c in p)), 2) for p in pairs}
    assert {p: c for p, c in low.items() if c < 4.5} == {}
    assert contrast(colours["focus"], colours["page"]) >= 3
    assert contrast(colours["bar"], colours["page"]) >= 3


def test_both_colour_schemes_name_the_same_colours():
    assert set(SCHEMES[0]) == set(SCHEMES[1])


ODD_IDS = [
    "s001",
    "王小明",
    "a/b",
    "../../etc/passwd",
    "..",
    ".hidden",
    "",
    "con",
    "nul.txt",
    "x" * 300,
    "a\ud800",
    "a\x00b",
    "cafe\u0301",
    "caf\u00e9",
    "(1) + 'x' [y]",
    "a~b",
    "-rf",
]


def test_file_names_stay_in_their_folder_and_never_meet(tmp_path):
    names = [paths.report_name(id) for id in ODD_IDS]

    assert len(set(names)) == len(names)
    for name in names:
        path = tmp_path / name
        path.write_text("x")
        assert path.parent == tmp_path
        assert path.resolve().parent == tmp_path.resolve()
        assert name[0] not in ".-"
    assert names[:2] == ["s001.html", "王小明.html"]


def test_both_editions_are_written_where_the_index_links_to(tmp_path):
    for id in ODD_IDS:
        written = write_reports(tmp_path, samples.full_marks(id), COURSE)
        assert set(written) == {"ta", "student"}
        for kind, path in written.items():
            assert path == paths.report_path(tmp_path, id, kind)
            assert path.is_file()
            assert path.stat().st_mode & 0o777 == 0o644
    assert not list(tmp_path.rglob("*.tmp"))


def test_failed_write_leaves_the_old_page_and_no_rest(tmp_path, monkeypatch):
    path = tmp_path / "a.html"
    paths.write_atomic(path, "old")

    def broken(*args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(paths.os, "replace", broken)
    with pytest.raises(EnvironmentFault, match=r"a\.html cannot be written: No space"):
        paths.write_atomic(path, "new")

    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
