"""A failed check on a terminal: what was expected, what came out, what to try."""

from __future__ import annotations

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from grader.lang import _, plural
from grader.report import numbers, words
from grader.report.order import Trouble
from grader.report.views import (
    CheckView,
    ExampleView,
    FullView,
    HintedView,
    TableView,
)
from grader.results import Outcome

INDENT = 6
CONSEQUENCES_SHOWN = 3
_COLOURS = {
    Outcome.PASSED: "green",
    Outcome.NOT_WRITTEN: "yellow",
    Outcome.NOT_RUN: "yellow",
    Outcome.GRADER_ERROR: "magenta",
}


def put(console: Console, what: RenderableType, indent: int = 0) -> None:
    """Print without the blanks that rich pads lines with: they spoil a paste."""
    padded = Padding(what, (0, 0, 0, indent)) if indent else what
    for segments in console.render_lines(padded, pad=False):
        line = Text.assemble(*((s.text, s.style or "") for s in segments))
        line.rstrip()
        console.print(line, soft_wrap=True)


def labelled(label: str, text: str, colour: str = "") -> Grid:
    """A label and text beside it that wraps under itself."""
    grid = Grid.grid(padding=(0, 1, 0, 0), pad_edge=False)
    grid.add_column(no_wrap=True, min_width=9)
    grid.add_column(overflow="fold")
    grid.add_row(Text(label, colour), Text(text))
    return grid


def put_trouble(
    console: Console, trouble: Trouble, verbose: bool, only_form: bool
) -> None:
    """Print a check that did not pass, and in short what failed with it."""
    put(console, verdict_line(trouble.check, console.width, only_form))
    for line in _details(trouble.check):
        put(console, line, INDENT)
    if isinstance(trouble.check, HintedView) and trouble.check.example is not None:
        _print_example(console, trouble.check, trouble.check.example)
    if isinstance(trouble.check, FullView):
        _print_evidence(console, trouble.check, verbose)
    if trouble.consequences:
        for line in _consequences(trouble.consequences, verbose, only_form):
            put(console, line, INDENT)


def verdict_line(check: CheckView, width: int, only_form: bool) -> Grid:
    """``FAIL  sentence   0/3``; a long sentence wraps under itself."""
    word = words.tag(check.outcome, only_form)
    grid = Grid.grid(padding=(0, 2, 0, 0), pad_edge=False)
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold", max_width=max(20, width - 24))
    grid.add_column(no_wrap=True, justify="right")
    hidden = _("hidden")
    title = check.title if check.public else f"{check.title} ({hidden})"
    score = f"{words.points(check.points)}/{words.points(check.max_points)}"
    score = "" if only_form else score
    colour = _COLOURS.get(check.outcome, "red")
    grid.add_row(Text(word, f"bold {colour}"), Text(title), Text(score))
    return grid


def _details(check: CheckView) -> list[Text | Grid]:
    """The lines under a failed check: what, expected, got, hint."""
    lines: list[Text | Grid] = []
    if isinstance(check, FullView) and check.message:
        lines.append(Text(check.message))
    if isinstance(check, HintedView):
        if check.where:
            lines.append(Text(check.where))
    if isinstance(check, FullView):
        if check.expected:
            lines.append(labelled(_("expected:"), check.expected))
        if check.got:
            lines.append(labelled(_("got:"), check.got))
    if isinstance(check, HintedView):
        if check.mistake:
            lines.append(labelled(_("mistake:"), check.mistake, "cyan"))
        if check.one_of:
            lines.append(labelled(_("one of:"), "; ".join(check.one_of), "cyan"))
        if check.hint:
            lines.append(labelled(_("hint:"), check.hint, "cyan"))
    return lines


def _print_example(console: Console, check: HintedView, shown: ExampleView) -> None:
    """The smallest case that still fails: what went in, and what came out."""
    head = _("The smallest case that still fails")
    if not check.public:
        head = _("A small case of our own that fails in the same way")
    put(console, Text(f"{head}: {shown.call}", "bold"), INDENT)
    _print_tables(console, [*shown.inputs, *shown.tables])
    if not check.public and shown.got:
        put(console, labelled(_("got:"), shown.got), INDENT)


def _print_tables(console: Console, tables: list[TableView]) -> None:
    for table in tables:
        for line in numbers.as_text(table, console.width - INDENT):
            text = Text(line, no_wrap=True, overflow="ellipsis")
            put(console, text, INDENT)


def _print_evidence(console: Console, check: FullView, verbose: bool) -> None:
    """Number tables; with ``verbose`` also the inputs, traceback and output.

    Where an example is shown, the tables of the graded case wait for ``verbose``.
    """
    if verbose:
        _print_tables(console, [*check.inputs, *check.tables])
    elif check.example is None:
        _print_tables(console, check.tables)
    if not verbose:
        return
    for label, block in (
        (_("traceback:"), check.trace),
        (_("printed:"), check.output),
    ):
        if block:
            put(console, Text(label), INDENT)
            text = Text(block.rstrip("\n"), "dim")
            put(console, text, INDENT + 2)


def _consequences(
    others: list[CheckView], verbose: bool, only_form: bool
) -> list[Text]:
    lost = sum((c.max_points - c.points for c in others), start=others[0].points * 0)
    if only_form:
        head = plural("and {n} more:", "and {n} more:", len(others))
    else:
        head = plural(
            "the same for {n} more check ({points} points):",
            "the same for {n} more checks ({points} points):",
            len(others),
            points=words.points(lost),
        )
    lines = [Text(head)]
    shown = others if verbose else others[:CONSEQUENCES_SHOWN]
    lines += [Text(f"- {c.title}", "dim") for c in shown]
    if len(shown) < len(others):
        left = _("- and {n} more", n=len(others) - len(shown))
        lines.append(Text(left, "dim"))
    return lines
