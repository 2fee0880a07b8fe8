"""What can be read off a suite: fair points, enough checks, budgets that fit."""

from __future__ import annotations

from decimal import Decimal

from grader.course import Course, Exercise
from grader.session.checks import Check

PUBLIC_LEAST, PUBLIC_MOST, ERRORS_MOST = 40, 50, 10
CHECKS_LEAST = {"lab": 6, "quiz": 0}  # of code exercises: the course's policy


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
