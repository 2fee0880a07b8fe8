import itertools
import re
import subprocess
import sys
import tracemalloc
from decimal import Decimal

import pytest
import report_samples as samples

from grader.report.index import render_index, write_index
from grader.report.plots import bins, histogram, pass_rates
from grader.report.stats import ClassStats

COURSE = samples.course()
FAILED, PASSED = samples.Outcome.FAILED, samples.Outcome.PASSED


def stats_of(results, **options):
    stats = ClassStats(COURSE, **options)
    for result in results:
        stats.add(result)
    return stats


def softmax(id, *outcomes, **fields):
    checks = [
        samples.check(f"check {n}", outcome, id=f"c{n}", **fields)
        for n, outcome in enumerate(outcomes)
    ]
    return samples.result({"masked_softmax": samples.exercise(checks)}, id)


def test_check_that_many_fail_alone_raises_the_alarm():
    results = [softmax(f"s{n}", PASSED, FAILED, PASSED) for n in range(6)]
    results += [softmax(f"t{n}", PASSED, PASSED, PASSED) for n in range(3)]
    results += [softmax("u", FAILED, FAILED, FAILED)]
    (alarm,) = stats_of(results).alarms

    assert (alarm.id, alarm.alone, alarm.beside) == ("c1", 6, 3)


def test_hard_check_that_weak_submissions_fail_is_no_alarm():
    results = [softmax(f"s{n}", FAILED, FAILED, PASSED) for n in range(20)]
    results += [softmax(f"t{n}", PASSED, PASSED, PASSED) for n in range(20)]

    assert stats_of(results).alarms == []


def test_two_submissions_are_too_few_for_an_alarm():
    results = [softmax(f"s{n}", PASSED, FAILED) for n in range(2)]

    assert stats_of(results).alarms == []


def test_pass_rate_counts_only_who_handed_the_exercise_in():
    results = [softmax("a", PASSED, FAILED), softmax("b", PASSED, PASSED)]
    results += [softmax("c", samples.Outcome.NOT_WRITTEN, samples.Outcome.NOT_WRITTEN)]
    results += [samples.grader_fault("d")]
    checks = stats_of(results).ordered_checks("masked_softmax")

    assert [(c.id, c.passed, c.tried) for c in checks] == [("c0", 2, 2), ("c1", 1, 2)]


def test_mistake_counts_once_for_each_submission():
    results = [softmax("a", FAILED, FAILED, mistake="neg_inf_fill")]
    title = "minus infinity in a row that is masked whole"

    assert stats_of(results).mistakes == {("masked_softmax", title): 1}


def test_grader_error_has_no_score_in_the_statistics():
    stats = stats_of([samples.grader_fault(), samples.full_marks()])

    assert stats.scores == [samples.full_marks().score]


@pytest.mark.parametrize(
    ("scores", "counts"),
    [
        (["0"], [1, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        (["100"], [0, 0, 0, 0, 0, 0, 0, 0, 0, 1]),
        (["9.99", "10", "50"], [1, 1, 0, 0, 0, 1, 0, 0, 0, 0]),
    ],
)
def test_bins_hold_each_score_once(scores, counts):
    counted = bins([Decimal(s) for s in scores], Decimal(100))

    assert [n for _, n in counted] == counts
    assert counted[0][0] == "0–10"


def test_bins_of_a_class_without_points_are_empty():
    assert bins([Decimal(0)], Decimal(0)) == []


def test_plot_says_in_words_what_it_shows():
    svg = pass_rates([('Rows sum to "1" & $x$ 掩码', 3, 4)], "Masked softmax")

    assert 'role="img"' in svg
    assert (
        'aria-label="Masked softmax. Rows sum to &quot;1&quot; &amp; $x$ 掩码: 3 of 4"'
        in svg
    )


def test_plots_are_the_same_each_time_and_fit_the_policy():
    def both():
        drawn = histogram([("0–10", 3), ("10–20", 0)], "Scores")
        return drawn + pass_rates([("a", 1, 2), ("b", 0, 0)], "Checks")

    svg = both()

    assert svg == both()
    assert "style" not in svg
    assert "#010203" not in svg
    assert "currentColor" in svg
    assert not re.search(r"\d{4}-\d\d-\d\d", svg)
    assert svg.count('class="bar"') >= 2


@pytest.fixture(scope="module")
def page():
    results = [*samples.batch(200), samples.every_outcome("s9999")]
    return render_index(
        results,
        COURSE,
        identical=[["s0001", "s0002"], ["s0005", "s0006", "s0007"]],
        names={"s0001": "王小明"},
        stamp="2026-03-01",
    )


@pytest.mark.parametrize(
    "text",
    [
        "2026-03-01",
        "Look at this check first",
        "Two directions and two layers give the right state",
        "The zip is broken.",
        "Nothing was handed in.",
        "GRADERTRACE: the suite raised KeyError; masked_softmax: Rows along",
        "minus infinity in a row that is masked whole",
        "lab1-2.ipynb is read as lab1.ipynb",
        'href="reports/ta/s0001.html">s0001 王小明</a>'.replace(" 王小明", ""),
        '<td class="text">王小明</td>',
        'href="reports/ta/s0006.html">s0006</a>, <a',
        "Crashed or timed out",
        "Slowest",
    ],
)
def test_index_shows(page, text):
    assert text in page


def test_every_submission_has_a_row_with_a_link(page):
    table = page[page.index('id="class"') : page.index('id="scores"')]

    assert len(re.findall(r'<th scope="row"><a href="reports/ta/', table)) == 201


def test_empty_class_gives_a_page(tmp_path):
    path = write_index(tmp_path, [], COURSE)

    assert "No submission has a score." in path.read_text("utf-8")


def test_odd_ids_are_quoted_in_links():
    page = render_index([samples.full_marks("a b&c/../#?")], COURSE)
    (href,) = re.findall(r'<th scope="row"><a href="(.*?)"', page)

    assert re.fullmatch(r"reports/ta/a_b_c~[0-9a-f]{16}\.html", href)


@pytest.mark.slow
def test_results_may_be_a_generator_and_are_not_kept():
    """3,000 results with 200 kB of output each would be 600 MB."""

    def many():
        for n in range(3000):
            yield softmax(f"s{n}", PASSED, output="x" * 200_000)

    tracemalloc.start()
    try:
        render_index(many(), COURSE)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert peak < 60_000_000


def test_plotting_library_is_loaded_only_for_the_index():
    """It takes half a second, which a check of one exercise must not pay."""
    code = (
        "import sys, grader.report.html, grader.report.terminal, "
        "grader.report.index, grader.report.summary; "
        "print('matplotlib' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )

    assert done.stdout.strip() == "False"


def test_sections_of_a_roster_are_a_column_and_a_filter():
    results = [samples.full_marks(who) for who in ("ada", "lee")]
    page = render_index(results, COURSE, sections={"ada": "Tue <1>"})
    assert "<option>Tue &lt;1&gt;</option>" in page
    assert 'data-section="Tue &lt;1&gt;"' in page
    assert 'id="section"' not in render_index(results, COURSE)


def test_ranges_of_many_points_do_not_run_into_each_other():
    """A character is about 0.6 of its size wide; labels are centred under bars."""
    drawn = str(histogram(bins([Decimal(100), Decimal(2100)], Decimal(2200)), "Scores"))
    found = re.findall(
        r'translate\(([\d.]+) ([\d.]+)\)" font-size="(\d+)px"[^>]*>([^<]+)', drawn
    )
    by_line = {}
    for x, y, size, text in found:
        by_line.setdefault(y, []).append((float(x), 0.6 * int(size) * len(text)))
    rows = [sorted(line) for line in by_line.values() if len(line) == 10]
    assert rows
    for row in rows:
        for (x, width), (following, _) in itertools.pairwise(row):
            assert x + width <= following


def test_columns_are_of_what_is_known_and_was_handed_in():
    results = [softmax(who, PASSED) for who in ("ada", "lee")]
    for each in results:
        each.exercises["packed_lstm"] = samples.exercise([], status="missing")
    page = render_index(results, COURSE)
    heads = re.findall(r'<th scope="col"[^>]*>([^<]+)', page.split("<tbody>", 1)[0])
    assert "masked_softmax" in heads
    assert {"packed_lstm", "Name"}.isdisjoint(heads)
    assert "Nobody handed in: packed_lstm" in page
    named = render_index(results, COURSE, names={"ada": "Ada L."})
    assert '<th scope="col">Name</th>' in named
    results[0].exercises["packed_lstm"] = samples.exercise([], status="not_written")
    assert "Nobody handed in" not in render_index(results, COURSE)
