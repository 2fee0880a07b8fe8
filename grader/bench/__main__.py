"""``python -m grader.bench``: print the figures, all ratios from this one run."""

from __future__ import annotations

import argparse
import platform
from collections.abc import Callable
from pathlib import Path

import torch

from grader.bench import (
    batch,
    cold,
    figures,
    isolation,
    resume,
    roundtrips,
    soak,
    warm,
    watch,
)
from grader.course import load_course
from grader.isolation.probe import probe

CORE = [
    "masked_softmax",
    "bahdanau_attention",
    "packed_lstm",
    "forget_bias",
    "truncated_bptt",
]


def main() -> None:
    """Run the parts that were asked for (default: all)."""
    parser = argparse.ArgumentParser(prog="python -m grader.bench")
    parser.add_argument(
        "parts",
        nargs="*",
        help="calls warm course cold watch memory isolation batch soak resume",
    )
    parser.add_argument("--quick", action="store_true", help="fewer rounds")
    parser.add_argument("--course", type=Path, default=Path())
    parser.add_argument(
        "--isolation", default="", help="level of the batches; default: the best here"
    )
    args = parser.parse_args()
    course = load_course(args.course)
    names = [name for name in CORE if course.suite_paths(name)]
    rounds, many = (5, 60) if args.quick else (15, 300)
    few, level = (4 if args.quick else 8), args.isolation or probe().level
    large, known = (500, 200) if args.quick else (5000, 1000)
    parts: dict[str, Callable[[], None]] = {
        "calls": roundtrips.round_trips,
        "warm": lambda: warm.warm_against_floor(course, names, rounds),
        "course": lambda: warm.whole_course(course, rounds),
        "cold": lambda: cold.cold_check(course, rounds),
        "watch": lambda: watch.saves(course, names, rounds),
        "memory": lambda: warm.memory(course, names, many),
        "batch": lambda: batch.against_pytest(course, names, many, few, level),
        "isolation": lambda: isolation.cost(course, names, rounds),
        "soak": lambda: soak.soak(course, 300 if args.quick else 2000, level),
        "coordinator": lambda: soak.coordinator(course, large, level),
        "resume": lambda: resume.resume(course, names, known, level),
    }
    unknown = sorted(set(args.parts) - set(parts))
    if unknown:
        parser.error(f"unknown part {unknown[0]!r}; there are: {', '.join(parts)}")
    host = f"{platform.machine()}, {batch.CORES} cores, torch {torch.__version__}"
    figures.heading(f"{host}; batches at isolation level {level}")
    for name in args.parts or parts:
        parts[name]()


if __name__ == "__main__":
    main()
