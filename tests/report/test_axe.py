"""What axe-core says of the pages: on a phone and a desk, light and dark."""

from pathlib import Path

import pytest
import report_samples as samples
import webdriver

from grader.notebook import Verdict
from grader.report.html import write_reports
from grader.report.index import write_index
from grader.results import Curve, Example, Figure, HeatMap

AXE = Path(__file__).parents[1] / "axe/node_modules/axe-core/axe.min.js"
NO_AXE = "axe-core is not installed: npm ci --prefix tests/axe"
LACKING = webdriver.missing() or ("" if AXE.exists() else NO_AXE)

pytestmark = [
    pytest.mark.skipif(bool(LACKING), reason=LACKING or "-"),
    pytest.mark.slow,
]

PHONE = 390
PAGES = {
    "class": "index.html",
    "student": "reports/student/s9999.html",
    "ta": "reports/ta/s9999.html",
    "notebook": "notebook.html",
}
# What is folded away is read by nobody, and so is not looked at.
UNFOLD = "document.querySelectorAll('details').forEach(part => { part.open = true; })"
ASK = """
const rules = {'target-size': {enabled: true}};
axe.run(document, {resultTypes: ['violations'], rules}).then(
  found => done(found.violations.flatMap(rule =>
    rule.nodes.map(node => `${rule.id}: ${node.target} ${node.html.slice(0, 200)}`))),
  error => done([`axe failed: ${error}`]),
);
"""
NOTEBOOK = """<!doctype html><html lang="en"><title>Notebook</title>
<style>:root {{ color-scheme: light dark }}</style>
<main><h1>Notebook</h1>{output}</main></html>"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with webdriver.Browser(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


def everything(id: str):
    """A submission of which a page has each of its parts to show."""
    result = samples.every_outcome(id)
    softmax = result.exercises["masked_softmax"]
    map_ = HeatMap([[0.0, 1.0, 0.4]], [[False, False, True]])
    influence = Figure("influence", "position", "row", heat_map=map_)
    tables = [samples.weights_table()]
    for check in (softmax.checks[1], softmax.checks[3]):  # a public and a hidden one
        check.example = Example(
            "masked_softmax(scores, mask)", tables, tables, figures=[influence]
        )
    curves = [Curve(f"curve {n}", [0.0, 1.0], [1.0, n / 8]) for n in range(4)]
    loss = Figure("Loss", "step", "loss", curves, level=0.5)
    softmax.checks[0].figures = [loss, Figure("Map", "from", "to", heat_map=map_)]
    softmax.comparisons = [loss]
    return result


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    """A small class with every status, and one report in which all is to be seen."""
    folder = tmp_path_factory.mktemp("out")
    course = samples.course()
    rich = everything("s9999")
    unread = samples.result(id="u", status="unreadable", message="The zip is broken.")
    results = [*samples.batch(30), samples.grader_fault("g"), unread, rich]
    names = {r.submission: f"Name of {r.submission}" for r in results}
    sections = {r.submission: f"group {n % 2}" for n, r in enumerate(results)}
    same = [["s0001", "s0002"]]
    write_index(folder, results, course, identical=same, names=names, sections=sections)
    write_reports(folder, rich, course, name="王小明")
    page = NOTEBOOK.format(output=Verdict(course, rich)._repr_html_())
    (folder / PAGES["notebook"]).write_text(page, encoding="utf-8")
    return folder


def look(browser) -> None:
    """Unfold the page or frame that is looked at, and give it axe."""
    browser.run(UNFOLD)
    browser.run(AXE.read_text(encoding="utf-8"))


def violations(browser) -> list[str]:
    """What axe finds: on a phone and a desk, light and dark."""
    found = []
    for device in ("phone", "desktop"):
        if device == "phone":
            browser.narrow(PHONE)
        else:
            browser.widen()
        for scheme in ("light", "dark"):
            browser.scheme(scheme)
            found += [f"{device}, {scheme}: {v}" for v in browser.run_async(ASK)]
    return found


@pytest.mark.parametrize("page", PAGES)
def test_axe_finds_nothing(browser, out, page):
    browser.open((out / PAGES[page]).as_uri())
    look(browser)
    found = violations(browser)
    if page == "notebook":
        browser.frame(0)
        look(browser)
        found += violations(browser)
        browser.frame(None)
    assert not found, "\n".join(found)


def test_the_watch_itself_sees_a_fault_of_the_dark_page_alone(browser, tmp_path):
    """The control: without it, an empty list would prove nothing."""
    bad = tmp_path / "bad.html"
    bad.write_text(
        "<!doctype html><html lang='en'><title>Bad</title><main><h1>Bad</h1>"
        "<style>@media (prefers-color-scheme: dark) { p { color: #eee } }</style>"
        "<p>Pale on white.</p></main></html>"
    )
    browser.open(bad.as_uri())
    look(browser)
    found = violations(browser)

    assert [line.split(": ")[:2] for line in found] == [
        ["phone, dark", "color-contrast"],
        ["desktop, dark", "color-contrast"],
    ]
