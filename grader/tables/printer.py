"""The course's tables on a terminal."""

from __future__ import annotations

from collections.abc import Iterable

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from grader.tables.model import CourseTable


def print_tables(
    tables: Iterable[CourseTable], console: Console | None = None, who: str = "here"
) -> bool:
    """Print every table; ``who`` heads the column beside the course's.

    Returns:
        True when every row is within its tolerance.
    """
    console = console or Console()
    good = True
    for each in tables:
        console.print(_table(each, who))
        if each.problem:
            names = ", ".join(each.exercises)
            console.print(f"[yellow]{escape(names)}: {escape(each.problem)}[/]")
        console.print()
        good &= each.ok
    return good


def _table(data: CourseTable, who: str) -> Table:
    title = f"{escape(data.title)} [dim]({escape(data.section)})[/]"
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD)
    table.add_column("")
    table.add_column("course", justify="right")
    table.add_column(who, justify="right")
    table.add_column("tolerance", style="dim")
    table.add_column("")
    for row in data.rows:
        mark = "[green]✓[/]" if row.ok else "[red]✗[/]"
        cells = (row.name, row.course, row.ours, row.tolerance)
        table.add_row(*(escape(c) for c in cells), mark)
    return table
