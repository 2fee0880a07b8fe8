"""The docs: they build without a warning, and the authors' page does what it says."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from grader import reference
from grader.cli import app

RUN_S = 240


def run(words: list[str], cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *words],
        cwd=cwd,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=RUN_S,
    )


def test_site_builds_without_a_warning_and_holds_every_page(root, tmp_path):
    source = tmp_path / "docs"
    shutil.copytree(
        root / "docs", source, ignore=shutil.ignore_patterns("generated", "_build")
    )
    site = tmp_path / "site"
    words = ["-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html"]
    done = run([*words, str(source), str(site)], root)
    assert done.returncode == 0, done.stderr
    pages = {p.relative_to(site).as_posix() for p in site.rglob("*.html")}
    wanted = {f"{p.stem}.html" for p in (root / "docs").glob("*.md")}
    assert wanted | {"generated/cli.html", "generated/config.html"} <= pages


def test_every_command_is_in_the_reference_with_its_options():
    page = reference.cli_page()
    for command in app.registered_commands:
        name = command.name or command.callback.__name__.replace("_", "-")
        assert f"\n## {name}\n" in page
    for words in ("## new course", "`--fresh-worker`", "| 3 | a fault of the grader"):
        assert words in page


@pytest.mark.parametrize(
    "row",
    [
        "| `schema` | a whole number | must be there |",
        "| `check_cpu_s` | a number | `2.0` |",
        "| `libraries` | a list of text | `['torch', 'numpy']` |",
        "## `[[exercises]]`",
    ],
)
def test_every_key_of_the_course_file_is_in_the_reference(row):
    assert row in reference.config_page()


def test_first_check_in_ten_minutes_is_true_to_the_letter(root, tmp_path):
    text = (root / "docs/author.md").read_text(encoding="utf-8")
    shell = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    added, before, after = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    (place,) = re.findall(r"`(my-course/suites/\w+\.py)`", text)
    said = [
        run(shlex.split(line)[1:], tmp_path)
        for line in shell[0].splitlines()
        if line.strip()
    ]
    assert [d.returncode for d in said] == [0, 0], said[-1].stdout + said[-1].stderr
    suite = tmp_path / place
    written = suite.read_text(encoding="utf-8")
    assert before in written
    suite.write_text(written.replace(before, after) + "\n\n" + added, encoding="utf-8")
    done = run(shlex.split(shell[1])[1:], tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "everything holds" in done.stdout
    assert re.search(r"running_mean +4 ", done.stdout)
