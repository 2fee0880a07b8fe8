"""Answers of people who had not seen the suites: each is judged as they said."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

# Those of a line share a session: starting one takes longer than judging ten answers.
GROUPS = {
    "attention": ("masked_softmax", "bahdanau_attention"),
    "sequences": ("packed_lstm", "forget_bias", "truncated_bptt"),
    "words": ("ngram_lm", "skipgram"),
    "lookups": ("grad_clip", "padded_embedding", "softmax_jacobian"),
    "scores": ("attention_scores", "scaled_dot_attention"),
    "decoding": ("seq2seq", "beam_search"),
    "cells": ("rnn_cell", "bptt_jacobian", "lstm_cell", "gru_cell", "lstm_jacobian"),
}
EXERCISES = [name for group in GROUPS.values() for name in group]
PASS_LEAST, FAIL_LEAST = 5, 8
JUDGED_S = 280


@pytest.fixture
def folder(root: Path) -> Path:
    return root / "tests" / "outside"


@pytest.fixture
def entries(folder: Path) -> list[dict[str, str]]:
    return json.loads((folder / "manifest.json").read_text(encoding="utf-8"))


def test_every_file_is_listed_once_with_a_reason(folder, entries):
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*.py")}
    assert sorted(e["path"] for e in entries) == sorted(files)
    assert all(e["why"] for e in entries)


def test_every_exercise_has_right_and_wrong_answers(entries):
    counts = Counter((e["exercise"], e["expect"]) for e in entries)
    for exercise in EXERCISES:
        assert counts[exercise, "pass"] >= PASS_LEAST
        assert counts[exercise, "fail"] >= FAIL_LEAST


@pytest.mark.slow
@pytest.mark.parametrize("names", GROUPS.values(), ids=GROUPS)
def test_no_right_answer_fails_and_no_wrong_one_passes(root, folder, entries, names):
    command = [sys.executable, "-m", "grader", "validate", *names, "--json"]
    command += ["--seeds", "1"]
    done = subprocess.run(
        [*command, "--course", str(root), "--extra", str(folder)],
        cwd=root,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=JUDGED_S,
    )
    assert done.stdout, done.stderr
    verdicts = json.loads(done.stdout)["outside"]
    wanted = {e["path"]: e["expect"] for e in entries if e["exercise"] in names}
    judged = {v["path"]: "pass" if v["passed"] else "fail" for v in verdicts}
    assert judged == wanted
    assert done.returncode == 0
