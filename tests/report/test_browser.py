"""The pages in a real browser: sort, search, open a report, fetch nothing."""

import pytest
import report_samples as samples
import webdriver

from grader.report.html import write_reports
from grader.report.index import write_index

pytestmark = [
    pytest.mark.skipif(bool(webdriver.missing()), reason=webdriver.missing() or "-"),
    pytest.mark.slow,
]

HEADS = "#class thead th"
FIRST = "return Array.from(document.querySelectorAll('#class tbody tr'))"
IDS = f"{FIRST}.map(row => row.cells[0].innerText)"
SCORES = f"{FIRST}.map(row => row.cells[2].innerText)"
SEARCHED = """
const count = document.getElementById('count');
new MutationObserver((_, self) => { self.disconnect(); done(count.textContent); })
  .observe(count, {childList: true, characterData: true, subtree: true});
const box = document.getElementById('search');
box.value = arguments[0];
box.dispatchEvent(new Event('input'));
"""
SORT_MS = """
const start = performance.now();
document.querySelectorAll('#class thead th button')[arguments[0]].click();
document.body.offsetHeight;
return performance.now() - start;
"""
CLASS_SIZE = 5000
SORT_LIMIT_MS = 1500  # takes about 100 on a quiet core


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with webdriver.Browser(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    """A class of 300 with reports of the first row and of one full of traps."""
    folder = tmp_path_factory.mktemp("out")
    course = samples.course()
    results = [*samples.batch(299), samples.every_outcome("s9999")]
    names = {"s9999": "王小明 <img src=x onerror=alert(1)>"}
    write_index(folder, results, course, names=names)
    for result in (results[0], results[-1]):
        write_reports(folder, result, course, name=names.get(result.submission, ""))
    return folder


@pytest.fixture
def page(browser, out):
    browser.open((out / "index.html").as_uri())
    browser.console()
    browser.requests()
    browser.open((out / "index.html").as_uri())
    return browser


def test_index_fetches_nothing_and_logs_no_error(page, out):
    assert page.requests() == [(out / "index.html").as_uri()]
    assert page.console() == []


def test_the_watch_itself_sees_an_error_and_a_fetch(page, tmp_path):
    """The control: without it, an empty log would prove nothing."""
    bad = tmp_path / "bad.html"
    bad.write_text(
        "<script>console.error('planted')</script><img src='http://127.0.0.1:9/x'>"
    )
    page.open(bad.as_uri())

    assert "http://127.0.0.1:9/x" in page.requests()
    assert any("planted" in message for message in page.console())


def test_score_header_sorts_as_numbers_both_ways_and_says_so(page):
    head = f"{HEADS}:nth-child(3)"
    page.click(f"{head} button")
    rising = [float(s) for s in page.run(SCORES) if s != "—"]
    said = page.run(f"return document.querySelector('{head}').ariaSort")
    page.click(f"{head} button")
    falling = [float(s) for s in page.run(SCORES) if s != "—"]

    assert said == "ascending"
    assert rising == sorted(rising)
    assert len(set(rising)) > 5
    assert falling == sorted(falling, reverse=True)
    assert max(falling) > 100  # as text, "99" would come before "100"


def test_header_can_be_sorted_with_the_keyboard(page):
    page.type(f"{HEADS}:nth-child(1) button", "\ue007")
    page.type(f"{HEADS}:nth-child(1) button", "\ue007")

    assert page.run(IDS)[0] == "s9999"


def test_search_finds_by_name_and_counts(page):
    said = page.run_async(SEARCHED, "小明")

    assert said == "1 of 300 submissions"
    assert page.run(IDS) == ["s9999"]


def test_search_without_a_hit_shows_an_empty_table(page):
    assert page.run_async(SEARCHED, "nobody at all") == "0 of 300 submissions"
    assert page.run(IDS) == []


def test_long_table_is_paged_until_all_is_asked_for(page):
    before = len(page.run(IDS))
    page.click("#more")

    assert before == 200
    assert len(page.run(IDS)) == 300


def test_link_opens_the_report_which_fetches_nothing(page, out):
    page.run_async(SEARCHED, "s9999")
    page.requests()
    page.click("#class tbody a")

    report = (out / "reports/ta/s9999.html").as_uri()
    assert page.run("return location.href") == report
    assert page.requests() == [report]
    assert page.console() == []


def test_details_of_a_report_open_with_the_keyboard(browser, out):
    browser.open((out / "reports/student/s9999.html").as_uri())
    browser.type("article details summary", "\ue007")

    assert browser.run("return document.querySelector('article details').open")


@pytest.mark.parametrize("kind", ["student", "ta"])
def test_report_is_no_wider_than_a_phone(browser, out, kind):
    """Only number tables scroll sideways, inside their own frame."""
    browser.open((out / f"reports/{kind}/s9999.html").as_uri())
    browser.narrow(390)
    inner, scroll = browser.run(
        "return [innerWidth, document.documentElement.scrollWidth]"
    )

    assert scroll <= inner


def test_planted_markup_and_script_stay_text(browser, out):
    browser.open((out / "reports/ta/s9999.html").as_uri())
    heading = browser.run("return document.querySelector('h1').innerText")

    assert "<img src=x onerror=alert(1)>" in heading
    assert browser.run("return document.images.length") == 0
    assert browser.run("return document.scripts.length") == 0


def test_class_of_5000_sorts_fast(browser, tmp_path):
    results = samples.batch(CLASS_SIZE)
    path = write_index(tmp_path, results, samples.course())
    browser.open(path.as_uri())

    spent = [browser.run(SORT_MS, column) for column in (0, 2, 3, 4)]

    assert path.stat().st_size < 6_000_000
    assert max(spent) < SORT_LIMIT_MS
    assert browser.run("return document.getElementById('count').textContent") == (
        "5000 of 5000 submissions, 200 shown"
    )
