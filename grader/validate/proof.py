"""Prove the suites: what must pass passes, what must fail fails and is named.

For each exercise: the reference gets everything, the skeleton nothing, every
right variant everything, every named mistake fails the checks that it names,
costs no more than it may, and is named as itself or not at all. Under further
seeds right answers still pass and mistakes still fail what they must (``make
seeds`` tries 200, with every check). Of the solution's machine mutants a fixed
sample must fail something (``make mutants`` tries them all).
"""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from grader import skeletons
from grader.course import Course
from grader.mutants.score import score_exercise
from grader.quiz.model import load_quiz
from grader.quiz.proof import quiz_faults
from grader.results import ExerciseResult, Outcome
from grader.seeds import further_faults
from grader.submission import Source, Submission, as_submission
from grader.validate.points import draft_notes, point_faults
from grader.validate.running import failing, run
from grader.validate.tally import ALIKE, REFERENCE, SKELETON, VARIANTS, Tally

if TYPE_CHECKING:
    from grader.session.grade import Grader
    from grader.session.naming.namer import Way

SAMPLE = 12  # mutants of each exercise


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


def _reference(grader: Grader, name: str, seed: str, tally: Tally) -> None:
    solution = as_submission(grader.references.path(name), name)
    graded = grader.run_exercise(solution, name)
    grader.namer.learn(name, "", graded)
    grader.namer.name(name, graded)
    result = graded.result
    if result.score == result.max_score and not failing(result):
        tally.reference += 1
    else:
        words = ", ".join(failing(result))
        tally.faults.append(f"{name}: the reference fails {words} (seed {seed})")
    _count_names(result, REFERENCE, "the reference", tally)


def _variants(grader: Grader, name: str, seed: str, tally: Tally) -> None:
    for path in sorted((grader.course.folder("variants") / name).glob("*.py")):
        result = run(grader, path, name)
        tally.variants += 1
        if result.score == sum(c.max_points for c in result.checks):
            tally.variants_right += 1
        else:
            words = ", ".join(failing(result))
            tally.faults.append(
                f"{name}: the right variant {path.stem} fails {words} (seed {seed})"
            )
        _count_names(result, VARIANTS, f"variant {path.stem}", tally)


def _mistakes(grader: Grader, name: str, seed: str, tally: Tally) -> None:
    from grader.session.naming.namer import (  # torch is imported, if used
        load_mistakes,
        ways,
    )

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
    failed = set(failing(result))
    faults = []
    known = {c.id for c in result.checks}
    for check in fails:
        if check not in known:
            faults.append(f"mistake {key} names {check}, which is no check")
        elif check not in failed:
            faults.append(f"mistake {key} passes {check}")
    if not failed:
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
