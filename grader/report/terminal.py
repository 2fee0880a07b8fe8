"""Reports on a terminal: verdicts in words, at 80 columns, colours optional.

``rich`` measures wide characters, drops colours when the output is no terminal
or NO_COLOR is set, and shows text that is not markup exactly as it is. So text
never goes through its markup: every piece is a ``Text``.
"""

from __future__ import annotations

from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from grader.lang import _, plural
from grader.report import figures, numbers, words
from grader.report.howfar import bar, count_done, next_exercise
from grader.report.order import Trouble, first_steps, troubles
from grader.report.views import (
    CheckView,
    Edition,
    ExampleView,
    ExerciseView,
    FullView,
    HintedView,
    TableView,
)
from grader.results import Figure, Outcome

INDENT = 6
CONSEQUENCES_SHOWN = 3
_COLOURS = {
    Outcome.PASSED: "green",
    Outcome.NOT_WRITTEN: "yellow",
    Outcome.NOT_RUN: "yellow",
    Outcome.GRADER_ERROR: "magenta",
}


def print_result(console: Console, edition: Edition, *, verbose: bool = False) -> None:
    """Print one submission: a table of exercises, then what failed.

    Args:
        console: where to; its width and colours are respected.
        edition: what this reader may see.
        verbose: also list the passed checks, tracebacks and captured output.
    """
    _print(console, _headline(edition))
    for warning in edition.warnings:
        _print(console, _labelled(_("note:"), warning, "yellow"))
    if edition.message:
        _print(console, Text(edition.message, "magenta"))
    if edition.exercises:
        _print_overview(console, edition)
    alone = len(edition.exercises) == 1
    quiet = [e for e in edition.exercises if _says_nothing(e, alone)]
    for exercise in edition.exercises:
        if exercise not in quiet and (verbose or exercise.status != "passed"):
            _print_exercise(console, exercise, verbose)
        drawn = [*(exercise.figures if verbose else []), *exercise.comparisons]
        for figure in drawn:
            _print_figure(console, figure)
    console.print()
    for label, status in ((_("NO FILE"), "missing"), (_("TO DO"), "not_written")):
        names = ", ".join(e.name for e in quiet if e.status == status)
        if names:
            _print(console, _labelled(label, names, "yellow"))
    _print(console, _closing(edition))


def _print(console: Console, what: RenderableType, indent: int = 0) -> None:
    """Print without the blanks that rich pads lines with: they spoil a paste."""
    padded = Padding(what, (0, 0, 0, indent)) if indent else what
    for segments in console.render_lines(padded, pad=False):
        line = Text.assemble(*((s.text, s.style or "") for s in segments))
        line.rstrip()
        console.print(line, soft_wrap=True)


def _print_figure(console: Console, figure: Figure) -> None:
    """A figure of a lab in words: a line for each of its parts."""
    console.print()
    _print(console, Text(figure.title, "bold"))
    for part in figures.words(figure).split("; "):
        _print(console, Text(part), 2)


def _says_nothing(exercise: ExerciseView, alone: bool) -> bool:
    """No file, or (among others) nothing written, and nothing more to say about it."""
    if exercise.warnings:
        return False
    return exercise.status == "missing" or (
        exercise.status == "not_written" and not alone
    )


def _headline(edition: Edition) -> Text:
    who = f"{edition.submission}  {edition.name}".rstrip()
    text = Text(who, "bold")
    for label, what in edition.late.items():
        text.append(f"\n{label}: {what}" if label else f"\n{what}", "yellow")
    return text


def _print_overview(console: Console, edition: Edition) -> None:
    """One row for each exercise, under the heading of its chapter.

    A grid of its own for each chapter, all with the same widths: a long heading
    then takes no room from the columns.
    """
    head = [_("exercise"), _("verdict"), _("public"), _("hidden"), _("points")]
    rows = [_overview_row(e) for e in edition.exercises]
    widths = [
        max(cell_len(head[at]), *(row[at].cell_len for row in rows))
        for at in range(len(head))
    ]
    _print(console, _row_grid([tuple(Text(h, "bold") for h in head)], widths))
    for chapter in edition.chapters:
        done, total = count_done(chapter.exercises)
        title = Text(chapter.title, "underline")
        if total > 1:
            told = _("{done} of {total} done", done=done, total=total)
            title = Text.assemble(title, Text(f"  {told}", "dim"))
        _print(console, title)
        shown = [_overview_row(e) for e in chapter.exercises]
        _print(console, _row_grid(shown, widths))


def _row_grid(rows: list[tuple[Text, ...]], widths: list[int]) -> Grid:
    grid = Grid.grid(padding=(0, 2, 0, 0), pad_edge=False)
    grid.add_column(overflow="fold", min_width=min(widths[0], 24))
    grid.add_column(min_width=widths[1])
    for width in widths[2:]:
        grid.add_column(justify="right", no_wrap=True, min_width=width)
    for row in rows:
        first = row[0].copy()
        first.pad_right(max(0, widths[0] - first.cell_len))
        grid.add_row(first, *row[1:])
    return grid


def _overview_row(exercise: ExerciseView) -> tuple[Text, ...]:
    return (
        Text(f"  {exercise.name}"),
        Text(_words(exercise), _exercise_colour(exercise)),
        Text(_fraction(exercise.count(True))),
        Text(_fraction(exercise.count(False))),
        Text(_share(exercise)),
    )


def _share(exercise: ExerciseView) -> str:
    if exercise.only_form:
        return "-"
    return f"{words.points(exercise.score)}/{words.points(exercise.max_score)}"


def _words(exercise: ExerciseView) -> str:
    return words.exercise(exercise.status, exercise.only_form)


def _exercise_colour(exercise: ExerciseView) -> str:
    colours = {"passed": "green", "failed": "red"}
    return colours.get(exercise.status, "yellow")


def _fraction(counted: tuple[int, int]) -> str:
    if not counted[1]:
        return "-"
    return _("{some} of {all}", some=counted[0], all=counted[1])


def _print_exercise(console: Console, exercise: ExerciseView, verbose: bool) -> None:
    found = troubles(exercise)
    console.print()
    _print(console, Text(f"{exercise.name}: {exercise.title}", "bold"))
    for warning in exercise.warnings:
        _print(console, _labelled(_("note:"), warning, "yellow"))
    if not exercise.begun:
        label = _("NO FILE") if exercise.status == "missing" else _("NOT WRITTEN")
        _print(console, _labelled(label, exercise.absence, "yellow"))
        return
    if verbose:
        for check in exercise.checks:
            if check.passed:
                _print(console, _verdict_line(check, console.width, exercise.only_form))
    for trouble in found:
        _print_trouble(console, trouble, verbose, exercise.only_form)


def _print_trouble(
    console: Console, trouble: Trouble, verbose: bool, only_form: bool
) -> None:
    _print(console, _verdict_line(trouble.check, console.width, only_form))
    for line in _details(trouble.check):
        _print(console, line, INDENT)
    if isinstance(trouble.check, HintedView) and trouble.check.example is not None:
        _print_example(console, trouble.check, trouble.check.example)
    if isinstance(trouble.check, FullView):
        _print_evidence(console, trouble.check, verbose)
    if trouble.consequences:
        for line in _consequences(trouble.consequences, verbose, only_form):
            _print(console, line, INDENT)


def _verdict_line(check: CheckView, width: int, only_form: bool) -> Grid:
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
            lines.append(_labelled(_("expected:"), check.expected))
        if check.got:
            lines.append(_labelled(_("got:"), check.got))
    if isinstance(check, HintedView):
        if check.mistake:
            lines.append(_labelled(_("mistake:"), check.mistake, "cyan"))
        if check.one_of:
            lines.append(_labelled(_("one of:"), "; ".join(check.one_of), "cyan"))
        if check.hint:
            lines.append(_labelled(_("hint:"), check.hint, "cyan"))
    return lines


def _labelled(label: str, text: str, colour: str = "") -> Grid:
    """A label and text beside it that wraps under itself."""
    grid = Grid.grid(padding=(0, 1, 0, 0), pad_edge=False)
    grid.add_column(no_wrap=True, min_width=9)
    grid.add_column(overflow="fold")
    grid.add_row(Text(label, colour), Text(text))
    return grid


def _print_example(console: Console, check: HintedView, shown: ExampleView) -> None:
    """The smallest case that still fails: what went in, and what came out."""
    head = _("The smallest case that still fails")
    if not check.public:
        head = _("A small case of our own that fails in the same way")
    _print(console, Text(f"{head}: {shown.call}", "bold"), INDENT)
    _print_tables(console, [*shown.inputs, *shown.tables])
    if not check.public and shown.got:
        _print(console, _labelled(_("got:"), shown.got), INDENT)


def _print_tables(console: Console, tables: list[TableView]) -> None:
    for table in tables:
        for line in numbers.as_text(table, console.width - INDENT):
            text = Text(line, no_wrap=True, overflow="ellipsis")
            _print(console, text, INDENT)


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
            _print(console, Text(label), INDENT)
            text = Text(block.rstrip("\n"), "dim")
            _print(console, text, INDENT + 2)


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


def _closing(edition: Edition) -> Text:
    """Points, the sentence on hidden checks, how far it is, and where to start."""
    text = Text()
    if not all(e.only_form for e in edition.exercises):
        score, most = words.points(edition.score), words.points(edition.max_score)
        text.append(_("points: {score} of {most}", score=score, most=most), "bold")
        decide = words.hidden_decide(edition.count(True), edition.count(False))
        text.append(f"\n{decide}")
    else:
        text.append(_("What is answered and can be read; grading says what is right."))
    done, total = count_done(edition.exercises)
    if total > 1:
        said = _("done: {done} of {total} exercises", done=done, total=total)
        text.append(f"\n{said}  {bar(done, total)}")
    steps = first_steps(edition, most=1)
    if steps and edition.status == "graded":
        step = steps[0]
        what = step.trouble.check.title if step.trouble else _words(step.exercise)
        where = _("start with {name}: {what}", name=step.exercise.name, what=what)
        text.append(f"\n{where}", "bold")
        after = next_exercise(edition, step.exercise)
        if after:
            then = _("then {name}: {what}", name=after.name, what=after.title)
            text.append(f"\n{then}")
    return text
