"""What every page shares: the jinja environment, the style, the content policy."""

from __future__ import annotations

import base64
import functools
import hashlib
import importlib.resources
from collections.abc import Sequence
from typing import Any

import jinja2
from markupsafe import Markup

from grader.lang import _, plural, spoken
from grader.report import figures, fragments, heat, words
from grader.report.order import troubles
from grader.report.paths import report_href
from grader.report.views import CheckView, Edition, ExerciseView, FullView, HintedView
from grader.results import Figure

_HERE = importlib.resources.files("grader.report")


@functools.cache
def environment() -> jinja2.Environment:
    """Autoescape always on; an unknown name in a template is an error."""
    env = jinja2.Environment(
        loader=jinja2.PackageLoader("grader.report", "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        auto_reload=False,  # a template is looked up some thousand times
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.i18n"],
    )
    # The functions look up the language that is spoken when a page is made.
    env.install_gettext_callables(_, _counted, newstyle=False)  # type: ignore[attr-defined]
    env.filters |= {
        "points": words.points,
        "verdict": words.verdict,
        "exercise_words": words.exercise,
        "status_words": words.submission,
        "fraction": _fraction,
        "hidden_decide": _hidden_decide,
        "earned": lambda part: _("{share} points", share=_share(part)),
        "share": _share,
        "href": lambda id: report_href(id, "ta"),
        "person": words.person,
        "who": lambda row: words.person(row.id, row.name),
        "reasons": lambda row: "; ".join(
            filter(None, [row.message, *row.grader_errors])
        ),
        "key": words.sort_key,
        "part_key": words.part_key,
        "part": words.part_words,
        "troubles": troubles,
        "numbers": fragments.numbers,
        "check_rows": fragments.check_rows,
        "drawing": figures.draw,
        "heat": heat.of_table,
        "influence": _influence,
        "stage_words": lambda s: _(words.STAGES[s]) if words.STAGES.get(s) else "",
    }
    env.tests |= {
        "full": lambda check: isinstance(check, FullView),
        "hinted": lambda check: isinstance(check, HintedView),
    }
    return env


def render(template: str, scripts: Sequence[str] = (), **values: Any) -> str:
    """A page of its own: style inside, nothing loaded, only our script runs.

    Args:
        template: its name.
        scripts: the only ones that may run; their hashes go into the policy.
        **values: what the template names.
    """
    css = static("style.css")
    return (
        environment()
        .get_template(template)
        .render(
            css=Markup(css),
            scripts=[Markup(script) for script in scripts],
            policy=policy(css, scripts),
            lang=spoken(),
            **values,
        )
    )


def policy(css: str, scripts: Sequence[str] = ()) -> str:
    """A content policy that forbids all but this style and these scripts."""
    hashes = " ".join(map(_hash, scripts))
    allowed = f"script-src {hashes}; " if hashes else ""
    return (
        f"default-src 'none'; style-src {_hash(css)}; {allowed}"
        "base-uri 'none'; form-action 'none'"
    )


@functools.cache
def static(name: str) -> str:
    """A file of ``static/`` as text, comments and all."""
    return (_HERE / "static" / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def _counted(one: str, many: str, n: int) -> str:
    return plural(one, many, n)


def _fraction(pair: tuple[int, int]) -> str:
    return _("{some} of {all}", some=pair[0], all=pair[1]) if pair[1] else _("none")


def _hidden_decide(edition: Edition) -> str:
    return words.hidden_decide(edition.count(True), edition.count(False))


def _share(part: CheckView | ExerciseView | Edition) -> str:
    """``3 of 10``, of a check, an exercise or a whole submission."""
    score = part.points if isinstance(part, CheckView) else part.score
    most = part.max_points if isinstance(part, CheckView) else part.max_score
    return _("{some} of {all}", some=words.points(score), all=words.points(most))


def _influence(figure: Figure) -> Markup:
    """Which positions moved the answer, as squares."""
    assert figure.heat_map is not None
    return heat.draw(
        _("Influence of each position"), figure.heat_map.rows, figure.heat_map.masked
    )
