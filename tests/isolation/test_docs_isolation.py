"""The table of docs/isolation.md is made from the attacks that are run.

After a change of ``escapes.py``: ``python tests/isolation/test_docs_isolation.py``
writes it anew.
"""

from __future__ import annotations

from pathlib import Path

import escapes

START = "<!-- made by tests/isolation/test_docs_isolation.py -->\n"
END = "<!-- end -->"
PAGE = Path(__file__).resolve().parents[2] / "docs" / "isolation.md"
NAMES = {"landlock": "Landlock"}


def table() -> str:
    """Attacks by the layers that stop each of them, fewest layers first."""
    groups: dict[tuple[str, ...], list[str]] = {}
    leaks: list[str] = []
    for name, attack in escapes.ATTACKS.items():
        words = name.replace("_", " ")
        if attack.leaks_at:
            leaks.append(f"{words} (works at {' and '.join(attack.leaks_at)})")
        else:
            layers = tuple(sorted(attack.layers("root")))
            groups.setdefault(layers, []).append(words)
    lines = ["| stopped by each of | attacks |", "|---|---|"]
    for layers in sorted(groups, key=lambda g: (len(g), g)):
        names = ", ".join(NAMES.get(layer, layer) for layer in layers)
        lines.append(f"| {names} | {'; '.join(groups[layers])} |")
    lines.append(f"| the namespaces of `full` alone | {'; '.join(leaks)} |")
    return "\n".join(lines) + "\n"


def split(text: str) -> tuple[str, str, str]:
    before, _, rest = text.partition(START)
    inside, _, after = rest.partition(END)
    return before, inside, after


def test_table_of_the_page_is_that_of_the_attacks():
    _, inside, after = split(PAGE.read_text(encoding="utf-8"))
    assert after
    assert inside == table()


def test_page_names_every_level_and_layer():
    text = PAGE.read_text(encoding="utf-8")
    for word in ("`full`", "`partial`", "`minimal`", "`none`", "Landlock", "seccomp"):
        assert word in text


if __name__ == "__main__":
    before, _, after = split(PAGE.read_text(encoding="utf-8"))
    PAGE.write_text(before + START + table() + END + after, encoding="utf-8")
