"""Prove the suites: what must pass passes, what must fail fails and is named.

For each exercise: the reference gets everything, the skeleton nothing, every
right variant everything, every named mistake fails the checks that it names,
costs no more than it may, and is named as itself or not at all. Under further
seeds right answers still pass and mistakes still fail what they must (``make
seeds`` tries 200, with every check). Of the solution's machine mutants a fixed
sample must fail something (``make mutants`` tries them all).
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from grader import skeletons
from grader.course import Course, Exercise
from grader.errors import UsageError
from grader.mutants.score import score_exercise
from grader.quiz.model import load_quiz
from grader.quiz.proof import quiz_faults
from grader.results import ExerciseResult, Outcome
from grader.seeds import further_faults
from grader.session.checks import Check
from grader.submission import Source, Submission, as_submission

if TYPE_CHECKING:
    from grader.session.grade import Grader
    from grader.session.namer import Way

SAMPLE = 12  # mutants of each exercise
PUBLIC_LEAST, PUBLIC_MOST, ERRORS_MOST = 40, 50, 10
ALIKE = " | "
REFERENCE, VARIANTS, SKELETON = RIGHT = ("(reference)", "(variants)", "(skeleton)")
CHECKS_LEAST = {"lab": 6, "quiz": 0}  # of code exercises: the course's policy


class Tally(msgspec.Struct):
    """What was seen of one exercise; ``faults`` and ``notes`` are sentences."""

    exercise: str
    checks: int = 0
    reference: int = 0
    skeleton: int = 0
    variants: int = 0
    variants_right: int = 0
    mistakes: int = 0
    mistakes_caught: int = 0
    mistakes_named: int = 0
    mistakes_one_of: int = 0
    named_falsely: int = 0
    mutants: int = 0
    mutants_killed: int = 0
    # What was graded -> what it was named as -> how often. A mistake among
    # several that behave alike is named "a | b"; "" is no name at all.
    confusion: dict[str, dict[str, int]] = msgspec.field(default_factory=dict)
    seeds: int = 0
    faults: list[str] = msgspec.field(default_factory=list)
    notes: list[str] = msgspec.field(default_factory=list)

    @property
    def sound(self) -> bool:
        """Nothing to complain about."""
        return not self.faults

    @property
    def alike(self) -> list[str]:
        """Mistakes that nothing which was asked tells apart, as "a | b"."""
        names = {name for named in self.confusion.values() for name in named}
        return sorted(n for n in names if ALIKE in n)

    @property
    def unnamed(self) -> list[str]:
        """Mistakes that were not recognised for some seed."""
        return sorted(
            truth
            for truth, named in self.confusion.items()
            if "" in named and truth not in RIGHT
        )


def validate_quiz(course: Course, name: str) -> Tally:
    """Everything that is to be proved of a quiz; it needs no session."""
    faults = [f"{name}: {fault}" for fault in quiz_faults(course, name)]
    tally = Tally(name, seeds=1, faults=faults)
    if not faults:
        tally.checks = len(load_quiz(course, name).questions)
        tally.reference = tally.skeleton = 1
    return tally


def validate_exercise(grader: Grader, name: str, seeds: list[str]) -> Tally:
    """Everything that is to be proved of one exercise."""
    tally = Tally(name, checks=len(grader.plugin.checks.get(name, [])))
    tally.faults += point_faults(
        grader.course, name, grader.plugin.checks.get(name, [])
    )
    tally.notes += draft_notes(grader.course, name, grader.plugin.checks.get(name, []))
    seed, *further = seeds
    grader.use(seed, {})
    tally.seeds = len(seeds)
    _reference(grader, name, seed, tally)
    _variants(grader, name, seed, tally)
    _mistakes(grader, name, seed, tally)
    _skeleton(grader, name, tally)
    tally.faults += further_faults(grader, name, further)
    _mutants(grader, name, seed, tally)
    return tally


def point_faults(course: Course, name: str, checks: list[Check]) -> list[str]:
    """The rules on fair points that can be read off the suite."""
    exercise = course.exercises[name]
    total = sum((c.points for c in checks), Decimal(0))
    public = sum((c.points for c in checks if c.public), Decimal(0))
    errors = sum((c.points for c in checks if c.errors), Decimal(0))
    faults = []
    if total != exercise.points:
        faults.append(f"{name}: checks sum to {total}, not {exercise.points}")
    if total and not PUBLIC_LEAST <= public * 100 / total <= PUBLIC_MOST:
        faults.append(f"{name}: public checks are worth {public} of {total}")
    if errors > ERRORS_MOST:
        faults.append(
            f"{name}: error checks are worth {errors}, more than {ERRORS_MOST}"
        )
    if len(checks) < least_checks(course, exercise) and not exercise.draft:
        faults.append(f"{name}: only {len(checks)} checks")
    faults += [f"{name}: {c.id} is worth nothing" for c in checks if c.points <= 0]
    if checks and not any(c.numeric for c in checks):
        faults.append(f"{name}: no check is marked numeric")
    return faults + budget_faults(course, name, checks)


def least_checks(course: Course, exercise: Exercise) -> int:
    """So many checks it has when it is finished."""
    return CHECKS_LEAST.get(exercise.kind, course.policy.least_checks)


def draft_notes(course: Course, name: str, checks: list[Check]) -> list[str]:
    """What is still to be done before students get a draft."""
    exercise = course.exercises[name]
    if not exercise.draft:
        return []
    least = least_checks(course, exercise)
    notes = [f"{name}: a draft, in no bundle and graded only by name"]
    if len(checks) < least:
        notes.append(f"{name}: {len(checks)} checks; {least} when it is no draft")
    return notes


def budget_faults(course: Course, name: str, checks: list[Check]) -> list[str]:
    """What checks may use must fit into what their exercise may use."""
    exercise = course.exercises[name]
    budgets = [c.cpu_s for c in checks if c.cpu_s is not None]
    most = exercise.cpu_s or course.limits.submission_cpu_s
    faults = []
    if sum(budgets) > most:
        faults.append(f"{name}: budgets of {sum(budgets):g} s, more than {most:g} s")
    if exercise.kind == "lab" and exercise.cpu_s is None:
        faults.append(f"{name}: a lab states its cpu_s in course.toml")
    if exercise.kind == "lab" and checks and not budgets:
        faults.append(f"{name}: a lab has a check with a budget of its own")
    return faults


def _run(grader: Grader, path: Path, name: str) -> ExerciseResult:
    return grader.grade_exercise(as_submission(path, name), name).result


def _failing(result: ExerciseResult) -> list[str]:
    return [c.id for c in result.checks if c.outcome is not Outcome.PASSED]


def _reference(grader: Grader, name: str, seed: str, tally: Tally) -> None:
    solution = as_submission(grader.references.path(name), name)
    graded = grader.run_exercise(solution, name)
    grader.namer.learn(name, "", graded)
    grader.namer.name(name, graded)
    result = graded.result
    if result.score == result.max_score and not _failing(result):
        tally.reference += 1
    else:
        failing = ", ".join(_failing(result))
        tally.faults.append(f"{name}: the reference fails {failing} (seed {seed})")
    _count_names(result, REFERENCE, "the reference", tally)


def _variants(grader: Grader, name: str, seed: str, tally: Tally) -> None:
    for path in sorted((grader.course.folder("variants") / name).glob("*.py")):
        result = _run(grader, path, name)
        tally.variants += 1
        if result.score == sum(c.max_points for c in result.checks):
            tally.variants_right += 1
        else:
            failing = ", ".join(_failing(result))
            tally.faults.append(
                f"{name}: the right variant {path.stem} fails {failing} (seed {seed})"
            )
        _count_names(result, VARIANTS, f"variant {path.stem}", tally)


def _mistakes(grader: Grader, name: str, seed: str, tally: Tally) -> None:
    from grader.session.namer import load_mistakes, ways  # torch is imported, if used

    folder = grader.course.folder("mistakes") / name
    mistakes = load_mistakes(folder)
    known, ran = ways(mistakes), {}
    for key in known:
        submission = as_submission(folder / f"{key}.py", name)
        ran[key] = grader.run_exercise(submission, name, labs=False)
        grader.namer.learn(name, key, ran[key])
    for key, way in known.items():
        grader.namer.name(name, ran[key])
        result = ran[key].result
        tally.mistakes += 1
        faults = _mistake_faults(key, way.fails, result)
        faults += _cost_faults(key, mistakes[way.mistake].costs_at_most, result)
        faults += _style_faults(key, way, result)
        tally.mistakes_caught += not faults
        tally.faults += [f"{name}: {f} (seed {seed})" for f in faults]
        _count_names(result, way.mistake, f"mistake {key}", tally)


def _mistake_faults(key: str, fails: list[str], result: ExerciseResult) -> list[str]:
    failing = set(_failing(result))
    faults = []
    known = {c.id for c in result.checks}
    for check in fails:
        if check not in known:
            faults.append(f"mistake {key} names {check}, which is no check")
        elif check not in failing:
            faults.append(f"mistake {key} passes {check}")
    if not failing:
        faults.append(f"mistake {key} passes everything")
    if any(c.outcome is Outcome.GRADER_ERROR for c in result.checks):
        faults.append(f"mistake {key} makes the grader fail")
    return faults


def _cost_faults(key: str, most: int, result: ExerciseResult) -> list[str]:
    lost = sum((c.max_points - c.points for c in result.checks), Decimal(0))
    return [f"mistake {key} costs {lost}, more than {most}"] if lost > most else []


def _style_faults(key: str, way: Way, result: ExerciseResult) -> list[str]:
    """A further way to make a mistake is there to be named."""
    if key == way.mistake or any(c.mistake == way.mistake for c in result.checks):
        return []
    return [f"mistake {key} is not named {way.mistake}"]


def _count_names(result: ExerciseResult, truth: str, what: str, tally: Tally) -> None:
    """Enter what ``result`` was named as; only its own name, or none, is right."""
    given = {c.mistake or ALIKE.join(c.one_of) for c in result.checks} - {""}
    row = tally.confusion.setdefault(truth, {})
    for name in given or {""}:
        row[name] = row.get(name, 0) + 1
        if name == truth:
            tally.mistakes_named += 1
        elif name and truth in name.split(ALIKE):
            tally.mistakes_one_of += 1
        elif name:
            tally.named_falsely += 1
            tally.faults.append(f"{tally.exercise}: {what} is taken for {name}")


def _skeleton(grader: Grader, name: str, tally: Tally) -> None:
    solution = grader.references.path(name).read_text(encoding="utf-8")
    text = skeletons.make_skeleton(solution)
    source = Source(name, f"{name}.py", text.encode(), "py", text)
    result = grader.grade_exercise(Submission("skeleton", {name: source}), name).result
    _count_names(result, SKELETON, "the skeleton", tally)
    if result.score == 0 and result.status == "not_written":
        tally.skeleton += 1
        return
    for check in result.checks:
        if check.outcome is not Outcome.NOT_WRITTEN:
            tally.faults.append(
                f"{name}: on the skeleton {check.id} is {check.outcome.value}: "
                f"{check.message} {check.got}"
            )


def _mutants(grader: Grader, name: str, seed: str, tally: Tally) -> None:
    score = score_exercise(grader, name, seed, SAMPLE, trained=0)
    tally.mutants = score.killed + len(score.survivors)
    tally.mutants_killed = score.killed
    tally.faults += score.faults
    tally.faults += [
        f"{name}: no check notices this change of the solution\n{m.diff()}"
        for m in score.survivors
    ]


class Outside(msgspec.Struct, forbid_unknown_fields=True):
    """One entry of an outside manifest."""

    path: str
    exercise: str
    expect: str
    why: str = ""


class Verdict(msgspec.Struct):
    """How an outside variant came out."""

    path: str
    exercise: str
    expect: str
    passed: bool
    score: Decimal
    failing: list[str]
    mistake: str | None
    why: str

    @property
    def right(self) -> bool:
        """The suite agrees with who wrote the variant."""
        return self.passed == (self.expect == "pass")


def read_manifest(folder: Path, course: Course) -> list[Outside]:
    """The entries of ``folder/manifest.json``.

    Raises:
        UsageError: it is missing, wrong, or names what does not exist.
    """
    path = folder / "manifest.json"
    try:
        entries = msgspec.json.decode(path.read_bytes(), type=list[Outside])
    except FileNotFoundError as e:
        raise UsageError(f"{path} does not exist; it lists the variants.") from e
    except msgspec.MsgspecError as e:
        raise UsageError(f"{path}: {e}.") from e
    for entry in entries:
        course.select([entry.exercise])
        if entry.expect not in ("pass", "fail"):
            raise UsageError(f'{path}: expect is "pass" or "fail", not {entry.expect}.')
        if not (folder / entry.path).is_file():
            raise UsageError(f"{path}: {entry.path} does not exist.")
    return entries


def judge_outside(
    grader: Grader, folder: Path, entries: list[Outside], seeds: list[str]
) -> Iterator[Verdict]:
    """Grade outside variants, one after the other.

    Of several seeds the verdict is that of the first one that disagrees with
    who wrote the variant.
    """
    for entry in entries:
        for seed in seeds:
            grader.use(seed)
            result = _run(grader, folder / entry.path, entry.exercise)
            if (result.score == result.max_score) != (entry.expect == "pass"):
                break
        names = sorted({c.mistake for c in result.checks if c.mistake})
        yield Verdict(
            entry.path,
            entry.exercise,
            entry.expect,
            result.score == result.max_score,
            result.score,
            _failing(result),
            names[0] if names else None,
            entry.why,
        )
