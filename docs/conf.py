"""How Sphinx makes the site: `make docs` writes it into site/."""

from pathlib import Path

from grader import __version__
from grader.reference import write

HERE = Path(__file__).resolve().parent
write(HERE / "generated")

project = "grader"
author = "the project"
release = __version__
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
html_theme = "alabaster"
html_theme_options = {"page_width": "60em", "description": "Split grading"}
html_show_copyright = False
myst_heading_anchors = 3
