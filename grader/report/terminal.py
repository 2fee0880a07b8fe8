"""Reports on a terminal: verdicts in words, at 80 columns, colours optional.

``rich`` measures wide characters, drops colours when the output is no terminal
or NO_COLOR is set, and shows text that is not markup exactly as it is. So text
never goes through its markup: every piece is a ``Text``.
"""

from __future__ import annotations

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from grader.report import numbers, words
from grader.report.order import Trouble, first_steps, troubles
from grader.report.views import CheckView, Edition, ExerciseView, FullView, HintedView
from grader.results import Outcome

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
        _print(console, _labelled("note:", warning, "yellow"))
    if edition.message:
        _print(console, Text(edition.message, "magenta"))
    if edition.exercises:
        _print(console, _overview(edition))
    absent = [e for e in edition.exercises if _is_absent(e)]
    for exercise in edition.exercises:
        if exercise not in absent and (verbose or exercise.status != "passed"):
            _print_exercise(console, exercise, verbose)
    console.print()
    if absent:
        names = ", ".join(e.name for e in absent)
        _print(console, _labelled("NO FILE", f"for {names}", "yellow"))
    _print(console, _closing(edition))


def _print(console: Console, what: RenderableType, indent: int = 0) -> None:
    """Print without the blanks that rich pads lines with: they spoil a paste."""
    padded = Padding(what, (0, 0, 0, indent)) if indent else what
    for segments in console.render_lines(padded, pad=False):
        line = Text.assemble(*((s.text, s.style or "") for s in segments))
        line.rstrip()
        console.print(line, soft_wrap=True)


def _is_absent(exercise: ExerciseView) -> bool:
    """No file, and nothing more to say about it."""
    return exercise.status == "missing" and not exercise.warnings


def _headline(edition: Edition) -> Text:
    who = f"{edition.submission}  {edition.name}".rstrip()
    text = Text(who, "bold")
    for label, what in edition.late.items():
        text.append(f"\n{label}: {what}" if label else f"\n{what}", "yellow")
    return text


def _overview(edition: Edition) -> Grid:
    """One row for each exercise, chapters as headings in between."""
    grid = Grid(box=None, pad_edge=False, show_edge=False, header_style="bold")
    grid.add_column("exercise", overflow="fold", ratio=None)
    grid.add_column("verdict")
    grid.add_column("public", justify="right", no_wrap=True)
    grid.add_column("hidden", justify="right", no_wrap=True)
    grid.add_column("points", justify="right", no_wrap=True)
    for chapter in edition.chapters:
        grid.add_row(Text(chapter.title, "underline"))
        for exercise in chapter.exercises:
            grid.add_row(*_overview_row(exercise))
    return grid


def _overview_row(exercise: ExerciseView) -> tuple[Text, ...]:
    return (
        Text(f"  {exercise.name}"),
        Text(_words(exercise), _exercise_colour(exercise)),
        Text(_fraction(exercise.count(True))),
        Text(_fraction(exercise.count(False))),
        Text(f"{words.points(exercise.score)}/{words.points(exercise.max_score)}"),
    )


def _words(exercise: ExerciseView) -> str:
    return words.EXERCISE_WORDS.get(exercise.status, exercise.status)


def _exercise_colour(exercise: ExerciseView) -> str:
    colours = {"passed": "green", "failed": "red"}
    return colours.get(exercise.status, "yellow")


def _fraction(counted: tuple[int, int]) -> str:
    return f"{counted[0]} of {counted[1]}" if counted[1] else "-"


def _print_exercise(console: Console, exercise: ExerciseView, verbose: bool) -> None:
    found = troubles(exercise)
    console.print()
    _print(console, Text(f"{exercise.name}: {exercise.title}", "bold"))
    for warning in exercise.warnings:
        _print(console, _labelled("note:", warning, "yellow"))
    if not exercise.begun:
        label = "NO FILE" if exercise.status == "missing" else "NOT WRITTEN"
        _print(console, _labelled(label, exercise.absence, "yellow"))
        return
    if verbose:
        for check in exercise.checks:
            if check.passed:
                _print(console, _verdict_line(check, console.width))
    for trouble in found:
        _print_trouble(console, trouble, verbose)


def _print_trouble(console: Console, trouble: Trouble, verbose: bool) -> None:
    _print(console, _verdict_line(trouble.check, console.width))
    for line in _details(trouble.check):
        _print(console, line, INDENT)
    if isinstance(trouble.check, FullView):
        _print_evidence(console, trouble.check, verbose)
    if trouble.consequences:
        for line in _consequences(trouble.consequences, verbose):
            _print(console, line, INDENT)


def _verdict_line(check: CheckView, width: int) -> Grid:
    """``FAIL  sentence   0/3``; a long sentence wraps under itself."""
    word = words.tag(check.outcome)
    grid = Grid.grid(padding=(0, 2, 0, 0), pad_edge=False)
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold", max_width=max(20, width - 24))
    grid.add_column(no_wrap=True, justify="right")
    title = check.title if check.public else f"{check.title} (hidden)"
    score = f"{words.points(check.points)}/{words.points(check.max_points)}"
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
            lines.append(_labelled("expected:", check.expected))
        if check.got:
            lines.append(_labelled("got:", check.got))
    if isinstance(check, HintedView):
        if check.mistake:
            lines.append(_labelled("mistake:", check.mistake, "cyan"))
        if check.hint:
            lines.append(_labelled("hint:", check.hint, "cyan"))
    return lines


def _labelled(label: str, text: str, colour: str = "") -> Grid:
    """A label and text beside it that wraps under itself."""
    grid = Grid.grid(padding=(0, 1, 0, 0), pad_edge=False)
    grid.add_column(no_wrap=True, min_width=9)
    grid.add_column(overflow="fold")
    grid.add_row(Text(label, colour), Text(text))
    return grid


def _print_evidence(console: Console, check: FullView, verbose: bool) -> None:
    """Number tables; with ``verbose`` also the inputs, traceback and output."""
    tables = [*check.inputs, *check.tables] if verbose else check.tables
    for table in tables:
        for line in numbers.as_text(table, console.width - INDENT):
            text = Text(line, no_wrap=True, overflow="ellipsis")
            _print(console, text, INDENT)
    if not verbose:
        return
    for label, block in (("traceback:", check.trace), ("printed:", check.output)):
        if block:
            _print(console, Text(label), INDENT)
            text = Text(block.rstrip("\n"), "dim")
            _print(console, text, INDENT + 2)


def _consequences(others: list[CheckView], verbose: bool) -> list[Text]:
    count = f"{len(others)} more check{'s' if len(others) > 1 else ''}"
    lost = sum((c.max_points - c.points for c in others), start=others[0].points * 0)
    lines = [Text(f"the same for {count} ({words.points(lost)} points):")]
    shown = others if verbose else others[:CONSEQUENCES_SHOWN]
    lines += [Text(f"- {c.title}", "dim") for c in shown]
    if len(shown) < len(others):
        lines.append(Text(f"- and {len(others) - len(shown)} more", "dim"))
    return lines


def _closing(edition: Edition) -> Text:
    """Points, the sentence on hidden checks, and where to start."""
    text = Text()
    score, most = words.points(edition.score), words.points(edition.max_score)
    text.append(f"points: {score} of {most}\n", "bold")
    text.append(words.hidden_decide(edition.count(True), edition.count(False)))
    steps = first_steps(edition, most=1)
    if steps and edition.status == "graded":
        step = steps[0]
        what = step.trouble.check.title if step.trouble else _words(step.exercise)
        text.append(f"\nstart with {step.exercise.name}: {what}", "bold")
    return text
