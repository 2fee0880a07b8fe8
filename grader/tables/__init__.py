"""The figures of the course beside the same figures computed here.

``make_tables(get)`` runs the functions of ``get("exercise")``, a namespace for
each exercise: the reference solutions, or a student's modules through the
worker. Where the course gives code and a seed, the digits must be the same;
where it gives statistics, each row states its tolerance.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

from grader.session.local import load_module
from grader.tables import attention, counting, decoding, recurrent
from grader.tables.model import MAKERS, CourseTable, Get, Maker, Row
from grader.tables.printer import print_tables

__all__ = [
    "CourseTable",
    "Row",
    "from_folder",
    "make_tables",
    "print_tables",
]

# In the order of the story, which is not that of the imports.
_STORY = (
    counting.bigrams,
    counting.word_vectors,
    recurrent.gradient_by_step,
    recurrent.tanh_powers,
    recurrent.spectral_radius,
    recurrent.parameters,
    recurrent.forget_powers,
    recurrent.lstm_jacobians,
    decoding.exposure,
    attention.garden_path,
    attention.weight_rows,
    attention.wrong_axis,
    attention.temperatures,
    attention.scaling,
    attention.self_attention,
)


def makers() -> list[Maker]:
    """Every table that there is, in the order of the course."""
    by_rows = {m.rows: m for m in MAKERS}
    return [by_rows[rows] for rows in _STORY]


def from_folder(folder: Path) -> Get:
    """A ``get`` over plain modules ``folder/<exercise>.py``, imported here.

    For the reference solutions, which are trusted; hand-ins go to a worker.
    """
    found: dict[str, ModuleType] = {}

    def get(exercise: str) -> ModuleType:
        if exercise not in found:
            path = folder / f"{exercise}.py"
            found[exercise] = load_module(path, f"tables_{exercise}")
        return found[exercise]

    return get


def make_tables(get: Get, exercises: Iterable[str] = ()) -> list[CourseTable]:
    """Make every table, or those that concern ``exercises``.

    A function that is not written yet, or that raises, costs its own table
    only: the table then says what happened.
    """
    wanted = set(exercises)
    chosen = [m for m in makers() if not wanted or wanted & set(m.exercises)]
    return [_make(maker, get) for maker in chosen]


def _make(maker: Maker, get: Get) -> CourseTable:
    rows: list[Row] = []
    problem = ""
    try:
        rows.extend(maker.rows(get))
    except NotImplementedError:
        problem = "not written yet"
    except Exception as e:  # a student's function may raise anything at all
        problem = f"{type(e).__name__}: {e}"
    return CourseTable(maker.title, maker.section, maker.exercises, rows, problem)
