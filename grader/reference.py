"""Pages of the docs that are made from the code: command line and course.toml."""

from __future__ import annotations

import types
from pathlib import Path
from typing import Any, get_args, get_origin

import msgspec
import typer.main

from grader.course import _File

EXIT_CODES = """\
Exit codes, of every command:

| code | meaning |
|---|---|
| 0 | done; for `check`: everything asked for passed |
| 1 | `check`, `validate`: something failed |
| 2 | wrong usage, or something that cannot be read; the message says what to do |
| 3 | a fault of the grader or the machine; no points are given or taken |
| 130 | stopped with Ctrl-C |

make turns every failure into 2. `NO_COLOR` in the environment, or output that is
no terminal, takes the colours away; `--plain` gives plain lines for screen readers.
"""


def cli_page() -> str:
    """The command line as a page of Markdown."""
    from grader.cli import app

    group: Any = typer.main.get_command(app)
    parts = ["# Command line\n", "`python -m grader COMMAND`\n", EXIT_CODES]
    for name, command in sorted(_commands(group, "")):
        parts.append(_command(name, command))
    return "\n".join(parts)


def _commands(group: Any, prefix: str) -> list[tuple[str, Any]]:
    found = []
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            found += _commands(command, f"{prefix}{name} ")
        else:
            found.append((prefix + name, command))
    return found


def _command(name: str, command: Any) -> str:
    lines = [f"## {name}\n", f"{command.help or ''}\n"]
    context = command.make_context(name, [], resilient_parsing=True)
    rows = [p.get_help_record(context) for p in command.params]
    rows = [r for r in rows if r]
    if rows:
        lines += ["| option | meaning |", "|---|---|"]
        lines += [f"| `{_cell(what)}` | {_cell(text)} |" for what, text in rows]
        lines.append("")
    return "\n".join(lines)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def config_page() -> str:
    """Every key of course.toml as a page of Markdown."""
    parts = ["# course.toml\n", "Unknown keys are refused, the nearest known named.\n"]
    parts += _table(_File, "The file itself", [])
    return "\n".join(parts)


def _table(kind: Any, title: str, seen: list[Any]) -> list[str]:
    lines = [f"## {title}\n"]
    if kind is not _File:
        lines.append(f"{(kind.__doc__ or '').strip().splitlines()[0]}\n")
    lines += ["| key | kind | when it is left out |", "|---|---|---|"]
    inner = []
    for field in msgspec.structs.fields(kind):
        words, struct = _kind(field.type)
        lines.append(f"| `{field.encode_name}` | {words} | {_default(field)} |")
        if struct is not None and struct not in seen:
            seen.append(struct)
            many = words.startswith("tables")
            mark = f"[[{field.encode_name}]]" if many else f"[{field.encode_name}]"
            inner.append((struct, mark))
    lines.append("")
    for struct, mark in inner:
        lines += _table(struct, f"`{mark}`", seen)
    return lines


def _kind(kind: Any) -> tuple[str, Any]:
    """Words for a type, and the struct inside it where there is one."""
    if hasattr(kind, "__struct_fields__"):
        return "a table", kind
    args = get_args(kind)
    if get_origin(kind) is list and args and hasattr(args[0], "__struct_fields__"):
        return "tables", args[0]
    if get_origin(kind) is list:
        return "a list of " + _kind(args[0])[0], None
    if isinstance(kind, types.UnionType):
        return " or ".join(_kind(a)[0] for a in args if a is not type(None)), None
    names = {"str": "text", "int": "a whole number", "bool": "true or false"}
    name = getattr(kind, "__name__", "any")
    return names.get(name, "a date" if name == "Any" else "a number"), None


def _default(field: Any) -> str:
    if field.default_factory is not msgspec.NODEFAULT:
        made = field.default_factory()
        return f"`{made}`" if isinstance(made, list) else "its own defaults"
    if field.default is msgspec.NODEFAULT:
        return "must be there"
    if field.default is None:
        return "none"
    value = field.default
    if isinstance(value, bool):
        return "`true`" if value else "`false`"
    return f"`{value}`" if str(value) else "empty"


def write(folder: Path) -> None:
    """Write both pages into ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "cli.md").write_text(cli_page(), encoding="utf-8")
    (folder / "config.md").write_text(config_page(), encoding="utf-8")
