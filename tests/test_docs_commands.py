"""Every command, target and link that a document names is there.

Most commands of the docs are also run: tests of README, of the semester page,
of the authors' page and of the students' README do so. This looks at all of
them, in blocks and in running text, and at their options.
"""

import re
import shlex
import textwrap
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import typer

from grader.cli import app

ROOT = Path(__file__).resolve().parents[1]
TEMPLATES = ROOT / "grader/release/templates"
DOCUMENTS = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *(ROOT / name for name in ("SECURITY.md", "examples/README.md")),
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted(TEMPLATES.glob("*.md")),
]
COMMAND = re.compile(r"(?:^|[`\s/])python -m (grader[\w.]*)((?: [^`\n#|]+)?)", re.M)
TARGET = re.compile(r"`make ([a-z]+)\b")
BLOCK = re.compile(r"^ *```(\w+)\n(.*?)^ *```", re.M | re.S)
FLAG = re.compile(r"--?[a-z]")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]*)\)")
HEADING = re.compile(r"^#+ (.+)$", re.M)
# Who runs the Python of a block; of other blocks it is held that they compile.
RUN_BY = {
    "author.md": "tests/test_site.py",
    "semester.md": "tests/semester/test_semester.py",
    "writing-checks.md": "tests/test_docs.py",
}


def ids(paths: list[Path]) -> list[str]:
    return [p.relative_to(ROOT).as_posix() for p in paths]


def text_of(path: Path) -> str:
    """A document; a line that goes on with a backslash is one line."""
    return re.sub(r"\\\n\s*", " ", path.read_text(encoding="utf-8"))


def joined(text: str) -> str:
    """With running text's line breaks inside of backquotes taken out."""
    return re.sub(r"`[^`\n]+\n[^`\n]+`", lambda m: m[0].replace("\n", " "), text)


@pytest.fixture(scope="module")
def options() -> dict[str, set[str]]:
    """Command, as it is written -> its options."""
    found: dict[str, set[str]] = {}

    def walk(group, before=""):
        for name, command in group.commands.items():
            if hasattr(command, "commands"):
                walk(command, f"{before}{name} ")
            else:
                found[before + name] = {o for p in command.params for o in p.opts}

    walk(typer.main.get_command(app))
    return found


def called(path: Path) -> list[tuple[str, list[str]]]:
    """(module, words) of each ``python -m grader...`` of a document."""
    found = []
    for module, rest in COMMAND.findall(joined(text_of(path))):
        words = shlex.split(rest.rstrip(" .,;:)"))
        found.append((module, words))
    return found


@pytest.mark.parametrize("path", DOCUMENTS, ids=ids(DOCUMENTS))
def test_every_command_exists_with_the_options_that_are_named(path, options):
    for module, words in called(path):
        source = ROOT / f"{module.replace('.', '/')}"
        assert source.with_suffix(".py").exists() or (source / "__main__.py").exists()
        if module != "grader" or not words or words[0].startswith(("-", "[")):
            continue
        name = " ".join(words[:2]) if words[0] == "new" else words[0]
        assert name in options or name == "new", (module, words)
        flags = {w.split("=")[0].rstrip(".,;") for w in words if FLAG.match(w)}
        assert flags <= options.get(name, flags), (name, flags - options[name])


@pytest.mark.parametrize("path", DOCUMENTS, ids=ids(DOCUMENTS))
def test_every_make_target_exists(path):
    makefile = TEMPLATES if path.parent == TEMPLATES else ROOT
    targets = set(re.findall(r"^([a-z]+):", (makefile / "Makefile").read_text(), re.M))
    text = text_of(path)
    shell = "\n".join(code for kind, code in BLOCK.findall(text) if kind == "sh")
    named = {*TARGET.findall(joined(text)), *re.findall(r"\bmake ([a-z]+)", shell)}
    assert named <= targets


def anchors(path: Path) -> set[str]:
    """What a heading is called in an address, as GitHub and the site do it."""
    heads = [re.sub(r"[`*]", "", h) for h in HEADING.findall(text_of(path))]
    return {re.sub(r"[^\w\- ]", "", h.lower()).strip().replace(" ", "-") for h in heads}


@pytest.mark.parametrize("path", DOCUMENTS, ids=ids(DOCUMENTS))
def test_every_link_leads_somewhere(path):
    """Inside to a file and a heading of it; outside to what is an address."""
    for target in LINK.findall(text_of(path)):
        parts = urlsplit(target)
        if parts.scheme:
            assert parts.scheme in ("https", "mailto"), target
            assert parts.scheme == "mailto" or "." in parts.netloc, target
            continue
        file = path.parent / parts.path if parts.path else path
        assert file.exists() or path.parent == TEMPLATES, f"{path.name}: {target}"
        if parts.fragment:
            assert parts.fragment in anchors(file), f"{path.name}: {target}"


def test_python_of_every_block_is_run_or_compiles():
    for path in DOCUMENTS:
        for kind, code in BLOCK.findall(text_of(path)):
            if kind == "python" and path.name in RUN_BY:
                test = ROOT / RUN_BY[path.name]
                assert path.name in test.read_text(encoding="utf-8")
            elif kind == "python":
                compile(textwrap.dedent(code), path.name, "exec")
