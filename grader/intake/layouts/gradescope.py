"""Gradescope's export: ``submission_<id>/`` folders and one metadata file."""

from __future__ import annotations

import re
from typing import Any

from grader.errors import IntakeError
from grader.intake.handin import Context, Handin
from grader.intake.layouts.base import Layout, Split, iso_time
from grader.intake.layouts.gradescope_metadata import MetadataError, read_metadata
from grader.intake.tree import Entry, Tree

_FOLDER = re.compile(r"submission_(\d+)")
_METADATA = ("submission_metadata.yml", "submission_metadata.yaml")


def looks_like(tree: Tree, context: Context) -> bool:
    """The metadata file at the root, or only folders called ``submission_<id>``."""
    if any(e.name in _METADATA for e in tree.root_files()):
        return True
    groups = tree.groups()
    return len(groups) > 1 and all(_FOLDER.fullmatch(g) for g in groups)


def split(tree: Tree, context: Context, depth: int) -> Split:
    """One hand-in for each submission folder and each metadata entry."""
    found = Split()
    metadata, trouble = _metadata(tree, context)
    for entry in tree.root_files():
        if entry.name not in _METADATA:
            found.loose.append(entry)
    groups = tree.groups()
    for top in sorted({*groups, *metadata}):
        if not _FOLDER.fullmatch(top):
            found.loose += groups.get(top, [])
            continue
        entries = tree.below(top, groups.get(top, [])).entries
        handin = _handin(top, entries, metadata.get(top), depth)
        if trouble:
            handin.warnings.append(trouble)
        elif top not in metadata or metadata[top] is None:
            handin.warnings.append("The export's metadata says nothing of it.")
        if not entries:
            handin.error = "The export lists it but holds no file of it."
        found.handins.append(handin)
    return found


def _metadata(tree: Tree, context: Context) -> tuple[dict[str, Any], str]:
    """Folder -> what the export says of it, and what went wrong with reading."""
    for entry in tree.root_files():
        if entry.name in _METADATA:
            try:
                data = entry.read(context.limits.metadata_bytes)
                return read_metadata(data), ""
            except (IntakeError, MetadataError) as e:
                return {}, f"Name and time are unknown: {entry.name} is unusable ({e})."
    return {}, "Name and time are unknown: the export has no metadata file."


def _handin(
    top: str, entries: list[Entry], said: dict[str, Any] | None, depth: int
) -> Handin:
    said = said or {}
    people = [p for p in said.get("submitters") or [] if isinstance(p, dict)]
    first = people[0] if people else {}
    group = [str(p.get("name") or p.get("sid") or "unknown") for p in people]
    numbers = {"gradescope": top.removeprefix("submission_")}
    if first.get("sid"):
        numbers["sid"] = str(first["sid"])
    time = iso_time(str(said.get("created_at") or ""))
    return Handin(
        id=str(first.get("sid") or first.get("name") or top),
        entries=entries,
        name=", ".join(group) or top,
        depth=depth,
        email=str(first.get("email") or ""),
        group=group if len(group) > 1 else [],
        submitted_at=time,
        time_source="Gradescope's metadata" if time else "",
        ids=numbers,
    )


LAYOUT = Layout(
    "gradescope", "Gradescope export", looks_like, split, "from the export's metadata"
)
