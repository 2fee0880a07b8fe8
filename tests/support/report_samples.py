"""Realistic results with every outcome, for report tests and for looking at."""

from __future__ import annotations

import random
from decimal import Decimal
from pathlib import Path

from grader.course import Course, load_course
from grader.results import (
    CheckResult,
    ExerciseResult,
    Outcome,
    SubmissionResult,
    Table,
    exercise_status,
)

COURSE = Path(__file__).resolve().parent / "report_course"

# Planted into every field of hidden checks that a student must not see.
SECRETS = (
    "HIDDENMESSAGE",
    "HIDDENEXPECTED",
    "HIDDENGOT",
    "HIDDENTRACE",
    "HIDDENOUTPUT",
    "HIDDENTABLE",
    "HIDDENINPUT",
    "HIDDENID",
    "8.125",  # a number in a hidden table
    "SECRETSEED",
    "OTHERSTUDENT",
    "GRADERTRACE",
    "TACAUTION",
)
TITLES = {
    "masked_softmax": [
        "Two tables worked out on paper come out as recorded",
        "Rows along the last axis sum to 1, with nothing at masked positions",
        "A fully masked row gives no NaN, forward or backward",
        "Half precision stays finite and keeps its dtype",
        "Gradients reach the scores, and only where no mask lies",
        "The caller's scores and mask stay as they were",
    ],
    "bahdanau_attention": [
        "The context is the weighted sum of the values",
        "Weights of masked keys are exactly zero",
        "Parameters are named as the exercise asks",
        "All three projections receive a gradient",
        "A batch of one works like a batch of many",
    ],
    "packed_lstm": [
        "Outputs come back in the order of the batch",
        "Padding never reaches the final state",
        "Two directions and two layers give the right state",
        "A length of 0 is refused with ValueError",
    ],
    "forget_bias": [
        "Only the forget gate's quarter changes",
        "The sum of both biases is the value asked for",
        "Every layer and direction is treated",
    ],
    "truncated_bptt": [
        "The loss is the mean over all steps",
        "The hidden state crosses segments, the graph does not",
        "A last segment that is shorter counts too",
    ],
}


def course() -> Course:
    return load_course(COURSE)


def check(
    title: str = "Rows sum to 1",
    outcome: Outcome = Outcome.PASSED,
    *,
    public: bool = True,
    max_points: str = "10",
    **fields,
) -> CheckResult:
    most = Decimal(max_points)
    earned = most if outcome is Outcome.PASSED else Decimal(0)
    name = fields.pop("id", title.lower().replace(" ", "_")[:30])
    return CheckResult(name, title, public, earned, most, outcome, **fields)


def exercise(checks: list[CheckResult], **fields) -> ExerciseResult:
    return ExerciseResult(
        key="k",
        score=sum((c.points for c in checks), Decimal(0)),
        max_score=sum((c.max_points for c in checks), Decimal(0)),
        status=fields.pop("status", exercise_status(checks)),
        checks=checks,
        **fields,
    )


def result(
    exercises: dict[str, ExerciseResult] | None = None,
    id: str = "s001",
    status: str = "graded",
    **fields,
) -> SubmissionResult:
    parts = exercises or {}
    total = sum((e.score for e in parts.values()), Decimal(0))
    most = sum((e.max_score for e in parts.values()), Decimal(0))
    score = total if status == "graded" else None
    fields = {"raw_score": score, "max_score": most} | fields
    return SubmissionResult(id, status, score, exercises=parts, **fields)


def secret_fields() -> dict:
    """Fields of a hidden check, each with a text that a student must not see."""
    return {
        "id": "HIDDENID",
        "message": "HIDDENMESSAGE",
        "expected": "HIDDENEXPECTED",
        "got": "ValueError: HIDDENGOT",
        "trace": 'File "masked_softmax.py", line 7\nValueError: HIDDENTRACE',
        "output": "HIDDENOUTPUT",
        "inputs": [Table("HIDDENINPUT", [[8.125]], [1, 1])],
        "tables": [Table("HIDDENTABLE", [[8.125]], [1, 1])],
        "line": 7,
    }


def weights_table(**fields) -> Table:
    return Table(
        "weights",
        [
            [0.5, 0.5, 0.0, 0.0],
            [0.21, 0.19, 0.43, 0.0],
            [0.25, 0.25, 0.25, 0.25],
        ],
        [3, 4],
        "float32",
        masked=[[False, False, True, True], [False, False, False, True], [True] * 4],
        sums=[1.0, 0.83, 1.0],
        highlight=1,
        **fields,
    )


def scores_table() -> Table:
    rows = [[round(1.7 * i - 0.9 * j, 2) for j in range(12)] for i in range(3)]
    rows[2][4] = None
    return Table("scores", rows, [2, 3, 40], "float32")


TRACE = """Traceback (most recent call last):
  File "bahdanau_attention.py", line 23, in forward
    context = weights @ values
              ~~~~~~~~^~~~~~~~
RuntimeError: mat1 and mat2 shapes cannot be multiplied (4x7 and 5x7)"""


def every_outcome(id: str = "s001", **fields) -> SubmissionResult:
    """One submission in which each outcome but grader_error occurs."""
    t = TITLES
    softmax = [
        check(t["masked_softmax"][0], max_points="9"),
        check(
            t["masked_softmax"][1],
            Outcome.FAILED,
            message="row sums of weights",
            expected="1 in every row that has a valid position",
            got="0.83 in row 1",
            hint="Print the sum of one row. Who holds the weight that the masked "
            "positions lost?",
            mistake="softmax_over_wrong_dim",
            inputs=[scores_table()],
            tables=[weights_table()],
            output="row 1 注意力权重 tensor([0.21, 0.19, 0.43, 0.00])\n",
        ),
        check(
            t["masked_softmax"][2],
            Outcome.FAILED,
            max_points="3",
            message="weights of the masked row",
            expected="finite numbers",
            got="NaN in 5 of 5",
            hint="Softmax of a row that is all -inf is 0/0. What should it be?",
        ),
        check(
            t["masked_softmax"][3],
            Outcome.FAILED,
            public=False,
            max_points="8",
            hint="Which number is too large for float16?",
            **secret_fields(),
        ),
        check(t["masked_softmax"][4], public=False, max_points="20"),
        check(
            t["masked_softmax"][5],
            Outcome.ERROR,
            public=False,
            max_points="5",
            **secret_fields(),
        ),
    ]
    broken = {
        "message": "RuntimeError was raised at line 23 in this check.",
        "expected": "an answer",
        "got": "RuntimeError: mat1 and mat2 shapes cannot be multiplied",
        "trace": TRACE,
        "line": 23,
        "hint": "Print the shape of weights and of values. Which axes must meet?",
    }
    attention = [check(t["bahdanau_attention"][2])] + [
        check(title, Outcome.ERROR, public=n < 2, **broken)
        for n, title in enumerate(t["bahdanau_attention"])
        if n != 2
    ]
    packed = [
        check(t["packed_lstm"][0], max_points="12.5"),
        check(
            t["packed_lstm"][1],
            Outcome.TIMEOUT,
            message="more than 5 s of CPU time, limit of this check",
            line=14,
            trace='  File "packed_lstm.py", line 14, in encode_packed\n    while True:',
        ),
        check(
            t["packed_lstm"][2],
            Outcome.CRASHED,
            message="the process ended with signal 11 (SIGSEGV)",
            output="\x1b[31mred\x1b[0m \u202eabc\u202c [bold]not markup[/bold]",
        ),
        check(t["packed_lstm"][3], Outcome.NOT_RUN, public=False),
    ]
    exercises = {
        "masked_softmax": exercise(softmax, source="Masked_Softmax (1).py"),
        "bahdanau_attention": exercise(attention, source="bahdanau_attention.py"),
        "packed_lstm": exercise(
            packed, source="lab.ipynb", warnings=["cell 3 failed: NameError: x"]
        ),
        "forget_bias": exercise(
            [
                check(x, Outcome.NOT_WRITTEN, public=n < 2)
                for n, x in enumerate(t["forget_bias"])
            ]
        ),
        "truncated_bptt": exercise([], status="missing"),
    }
    exercises["truncated_bptt"].max_score = Decimal(100)
    given = {
        "seed": "SECRETSEED",
        "isolation": "full",
        "versions": {"torch": "2.13.0", "python": "3.11.2"},
        "wall_s": 3.21,
        "cpu_s": 2.75,
        "warnings": [
            "TACAUTION: same bytes as OTHERSTUDENT",
            "For the TA: TACAUTION: masked_softmax is identical to OTHERSTUDENT's",
            "Masked_Softmax (1).py is taken for masked_softmax: it is near the name.",
        ],
        "late": {"summary": "2 hours late: 5 points off", "peer": "OTHERSTUDENT"},
    }
    return result(exercises, id, **(given | fields))


def grader_fault(id: str = "s002") -> SubmissionResult:
    """A submission in which the grader itself failed."""
    checks = [
        check(TITLES["masked_softmax"][0]),
        check(
            TITLES["masked_softmax"][1],
            Outcome.GRADER_ERROR,
            message="GRADERTRACE in the suite",
            trace="GRADERTRACE",
        ),
    ]
    return result(
        {"masked_softmax": exercise(checks)},
        id,
        "grader_error",
        message="GRADERTRACE: the suite raised KeyError",
        seed="SECRETSEED",
    )


def full_marks(id: str = "s003", **fields) -> SubmissionResult:
    exercises = {
        name: exercise([check(t, public=n % 2 == 0) for n, t in enumerate(titles)])
        for name, titles in TITLES.items()
    }
    return result(exercises, id, **fields)


def batch(size: int, seed: int = 0) -> list[SubmissionResult]:
    """A class: mostly right or partly right, a few unreadable, missing or ours."""
    rng = random.Random(seed)
    rows = []
    for number in range(size):
        id = f"s{number:04d}"
        dice = rng.random()
        if dice < 0.01:
            row = result(id=id, status="unreadable", message="The zip is broken.")
            row.max_score = Decimal(500)
        elif dice < 0.02:
            row = result(id=id, status="missing", message="Nothing was handed in.")
            row.max_score = Decimal(500)
        elif dice < 0.03:
            row = grader_fault(id)
        else:
            row = _student(id, rng)
        rows.append(row)
    return rows


def _student(id: str, rng: random.Random) -> SubmissionResult:
    skill = rng.betavariate(4, 2)
    exercises = {}
    for name, titles in TITLES.items():
        checks = []
        for n, title in enumerate(titles):
            right = rng.random() < skill or rng.random() < 0.5
            if name == "packed_lstm" and n == 2:
                right = rng.random() < 0.3  # the check that the alarm should find
            outcome = Outcome.PASSED if right else _a_failure(rng)
            mistake = None if right else rng.choice([None, None, "neg_inf_fill"])
            checks.append(check(title, outcome, public=n % 2 == 0, mistake=mistake))
        exercises[name] = exercise(checks)
    warnings = ["lab1-2.ipynb is read as lab1.ipynb"] if rng.random() < 0.1 else []
    wall = round(rng.expovariate(2), 3)
    return result(exercises, id, warnings=warnings, wall_s=wall, cpu_s=wall * 0.9)


def _a_failure(rng: random.Random) -> Outcome:
    odds = [Outcome.FAILED] * 12 + [Outcome.ERROR] * 5
    return rng.choice([*odds, Outcome.TIMEOUT, Outcome.CRASHED])
