"""Reports on a terminal: verdicts in words, at 80 columns, colours optional.

``rich`` measures wide characters, drops colours when the output is no terminal
or NO_COLOR is set, and shows text that is not markup exactly as it is. So text
never goes through its markup: every piece is a ``Text``.
"""

from __future__ import annotations

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from grader.lang import _
from grader.report import figures, words
from grader.report.howfar import bar, count_done, next_exercise
from grader.report.order import first_steps, troubles
from grader.report.terminal_check import labelled, put, put_trouble, verdict_line
from grader.report.views import (
    Edition,
    ExerciseView,
)
from grader.results import Figure


def print_result(console: Console, edition: Edition, *, verbose: bool = False) -> None:
    """Print one submission: a table of exercises, then what failed.

    Args:
        console: where to; its width and colours are respected.
        edition: what this reader may see.
        verbose: also list the passed checks, tracebacks and captured output.
    """
    put(console, _headline(edition))
    for warning in edition.warnings:
        put(console, labelled(_("note:"), warning, "yellow"))
    if edition.message:
        put(console, Text(edition.message, "magenta"))
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
            put(console, labelled(label, names, "yellow"))
    put(console, _closing(edition))


def _print_figure(console: Console, figure: Figure) -> None:
    """A figure of a lab in words: a line for each of its parts."""
    console.print()
    put(console, Text(figure.title, "bold"))
    for part in figures.words(figure).split("; "):
        put(console, Text(part), 2)


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
    put(console, _row_grid([tuple(Text(h, "bold") for h in head)], widths))
    for chapter in edition.chapters:
        done, total = count_done(chapter.exercises)
        title = Text(chapter.title, "underline")
        if total > 1:
            told = _("{done} of {total} done", done=done, total=total)
            title = Text.assemble(title, Text(f"  {told}", "dim"))
        put(console, title)
        shown = [_overview_row(e) for e in chapter.exercises]
        put(console, _row_grid(shown, widths))


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
    put(console, Text(f"{exercise.name}: {exercise.title}", "bold"))
    for warning in exercise.warnings:
        put(console, labelled(_("note:"), warning, "yellow"))
    if not exercise.begun:
        label = _("NO FILE") if exercise.status == "missing" else _("NOT WRITTEN")
        put(console, labelled(label, exercise.absence, "yellow"))
        return
    if verbose:
        for check in exercise.checks:
            if check.passed:
                put(console, verdict_line(check, console.width, exercise.only_form))
    for trouble in found:
        put_trouble(console, trouble, verbose, exercise.only_form)


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
