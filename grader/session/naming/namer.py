"""Naming the mistake from behaviour.

The named mistakes of an exercise are graded once for a seed, as submissions of
their own, and their journals kept: what each check asked and what came back. A
failing submission was asked the same, so its answers are compared with theirs;
agreement on every failing call that tells a mistake from the reference names it.
"""

from __future__ import annotations

import tomllib
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from grader.errors import CourseError
from grader.results import CheckResult, Outcome
from grader.session.checks import with_budgets
from grader.session.journal import Call, Record, agree, record
from grader.session.naming.learned import Known
from grader.submission import as_submission

if TYPE_CHECKING:
    from grader.session.grade import Grader
    from grader.session.graded import Graded

MOST_ALIKE = 3  # so many that behave alike are listed; of more, none
_TELLING = (Outcome.FAILED, Outcome.ERROR)


class Mistake(msgspec.Struct, forbid_unknown_fields=True):
    """What ``mistakes.toml`` says of one named mistake.

    People make the same mistake in more than one way, and not each way behaves
    the same: ``styles`` are further ways, with the checks that each must fail.
    The style ``by_hand`` of ``no_max`` is the module ``no_max__by_hand.py``.
    """

    title: str
    hint: str
    fails: list[str]
    costs_at_most: int
    title_zh: str = ""
    hint_zh: str = ""
    styles: dict[str, list[str]] = {}


class Way(NamedTuple):
    """One module of a named mistake, and the checks that it must fail."""

    mistake: str
    fails: list[str]


def ways(mistakes: dict[str, Mistake]) -> dict[str, Way]:
    """All modules of ``mistakes`` by file name without its ending."""
    found = {}
    for name, mistake in mistakes.items():
        found[name] = Way(name, mistake.fails)
        for style, fails in mistake.styles.items():
            found[f"{name}__{style}"] = Way(name, fails)
    return found


def tell(checks: list[CheckResult], hints: dict[str, str]) -> None:
    """Enter the mistake that was recognised, or those that it is one of."""
    for check in checks:
        if check.outcome not in _TELLING:
            continue
        if len(hints) > 1:
            check.one_of = sorted(hints)
        else:
            ((check.mistake, check.hint),) = hints.items()


def load_mistakes(folder: Path) -> dict[str, Mistake]:
    """The named mistakes of one exercise, from ``folder/mistakes.toml``.

    Raises:
        CourseError: the file is wrong, a mistake does not say what it may cost,
            or has no module beside it, or a module is no style of any.
    """
    path = folder / "mistakes.toml"
    if not path.exists():
        return {}
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
        _must_state_costs(path, raw)
        mistakes = msgspec.convert(raw, dict[str, Mistake])
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as e:
        raise CourseError(f"{path}: {e}.") from e
    known = ways(mistakes)
    for name in known:
        if not (folder / f"{name}.py").exists():
            raise CourseError(f"{path}: {name} has no file {name}.py beside it.")
    for module in sorted(folder.glob("[a-z]*__*.py")):
        if module.stem not in known:
            raise CourseError(f"{path}: {module.name} is listed as no style.")
    return mistakes


def _must_state_costs(path: Path, raw: dict[str, Any]) -> None:
    for name, entry in raw.items():
        if isinstance(entry, dict) and "costs_at_most" not in entry:
            raise CourseError(
                f"{path}: {name} lacks costs_at_most, the points that it may cost."
            )


class _Mine:
    """A submission's behaviour; its records are made when they are needed."""

    def __init__(self, graded: Graded) -> None:
        self._calls = graded.calls
        self._records: dict[str, Record] = {}
        self.outcomes = {c.id: c.outcome for c in graded.result.checks}
        self.failing = {
            i for i, outcome in self.outcomes.items() if outcome is not Outcome.PASSED
        }

    def record(self, check: str) -> Record:
        if check not in self._records:
            self._records[check] = record(self._calls.get(check, []))
        return self._records[check]


class Namer:
    """Compares a failing submission's answers with those of the named mistakes.

    Mistakes are run when they are first needed and once for a seed: those that
    do not fail what the submission fails, or cannot cost as much, are never run,
    and the others only up to their first answer that differs, in the order in
    which the submission was run, so that a mistake of what an earlier call left
    behind is itself.
    """

    def __init__(self, grader: Grader) -> None:
        self._grader = grader
        self._mistakes: dict[str, dict[str, Mistake]] = {}
        self._known: dict[tuple[str, str], Known] = {}

    def name(self, exercise: str, graded: Graded) -> None:
        """Set ``mistake`` and its hint on the failing checks, where one is sure.

        Where several mistakes behave alike in everything that was asked, they
        are listed in ``one_of``, and the check keeps its own hint.
        """
        from grader.session.naming import recorded

        checks = graded.result.checks
        if not any(c.outcome in _TELLING for c in checks):
            return
        if any(c.stage == "import" for c in checks):  # nothing of it was seen
            return
        path = self._grader.course.folder("mistakes") / exercise / recorded.RECORDED
        if path.exists():  # a student's machine has their answers, not the mistakes
            recorded.name(recorded.load(path.read_bytes()), graded)
            return
        agreeing = self._agreeing(exercise, graded)
        mistakes = self.mistakes(exercise)
        known = ways(mistakes)
        found = {known[module].mistake for module in agreeing}
        if 0 < len(found) <= MOST_ALIKE:
            ran = self._known[exercise, agreeing[0]].outcomes
            tell(
                [c for c in checks if c.id in ran],
                {name: mistakes[name].hint for name in found},
            )

    def _agreeing(self, exercise: str, graded: Graded) -> list[str]:
        """Modules of mistakes that answer as this submission did, everywhere."""
        mine, found = _Mine(graded), []
        mistakes = self.mistakes(exercise)
        lost = self._lost(exercise, graded)
        shelf = self._grader.shelf
        from_end = shelf is not None and shelf.from_end
        for name, way in sorted(ways(mistakes).items(), reverse=from_end):
            # On a student's own machine only the public ones are there.
            fails = [check for check in way.fails if check in mine.outcomes]
            if not fails or not mine.failing.issuperset(fails):
                continue
            if lost > mistakes[way.mistake].costs_at_most:
                continue  # whoever makes it loses less
            reference = self._reference(exercise)
            theirs = self._known.get((exercise, name))
            if theirs is None:
                theirs = self._read(exercise, name) or self._run(exercise, name, mine)
            if _agrees(theirs, mine) and not theirs.whole:
                read = self._read(exercise, name)
                if read is None or not read.whole:
                    read = self._run(exercise, name, None)
                theirs = read
            if theirs.whole and _agrees(theirs, mine):
                if _is_telling(theirs, reference, mine):
                    found.append(name)
        return sorted(found)

    def _lost(self, exercise: str, graded: Graded) -> Decimal:
        """Points lost in checks that a mistake is run on: all but those that train."""
        left_out = with_budgets(self._grader.plugin.checks.get(exercise, []))
        ran = [c for c in graded.result.checks if c.id not in left_out]
        return sum((c.max_points - c.points for c in ran), Decimal(0))

    def mistakes(self, exercise: str) -> dict[str, Mistake]:
        """The named mistakes of an exercise, read once."""
        if exercise not in self._mistakes:
            self._mistakes[exercise] = load_mistakes(self._folder(exercise))
        return self._mistakes[exercise]

    def _folder(self, exercise: str) -> Path:
        return self._grader.course.folder("mistakes") / exercise

    def learn(self, exercise: str, name: str, graded: Graded) -> None:
        """A mistake that was run anyhow (by validate) need not be run again."""
        checks = self._grader.plugin.checks.get(exercise, [])
        known = Known(
            {c.id: c.outcome for c in graded.result.checks},
            {check: record(calls) for check, calls in graded.calls.items()},
            # Of a lab, no training is spent on telling mistakes apart.
            whole=len(graded.result.checks) >= len(checks) - len(with_budgets(checks)),
        )
        self._keep(exercise, name, known)
        if self._grader.shelf is not None:
            self._grader.shelf.put(self._grader.seed, exercise, name, known)

    def _read(self, exercise: str, name: str) -> Known | None:
        """What another session has learned of it meanwhile."""
        shelf = self._grader.shelf
        known = shelf.get(self._grader.seed, exercise, name) if shelf else None
        if known is not None:
            self._keep(exercise, name, known)
        return known

    def _keep(self, exercise: str, name: str, known: Known) -> None:
        """Most answers of a mistake are right ones: those are kept once."""
        right = self._known.get((exercise, ""), Known()).records
        for check, mine in known.records.items():
            if check in right and agree(mine, right[check]):
                known.records[check] = right[check]
        self._known[exercise, name] = known

    def _run(self, exercise: str, name: str, mine: _Mine | None) -> Known:
        """Run a mistake, up to where it differs from ``mine``; "" is the reference."""
        path = self._folder(exercise) / f"{name}.py"
        if not name:
            path = self._grader.references.path(exercise)
        submission = as_submission(path, exercise, name)

        def go_on(result: CheckResult, calls: list[Call]) -> bool:
            return mine is None or agree(mine.record(result.id), record(calls))

        graded = self._grader.run_exercise(
            submission, exercise, labs=False, inside=True, go_on=go_on
        )
        self.learn(exercise, name, graded)
        return self._known[exercise, name]

    def _reference(self, exercise: str) -> Known | None:
        """The reference's behaviour, None where solutions are not at hand."""
        if (exercise, "") not in self._known:
            if not self._grader.references.path(exercise).exists():
                return None
            if self._read(exercise, "") is None:
                self._run(exercise, "", None)
        return self._known[exercise, ""]


def _agrees(theirs: Known, mine: _Mine) -> bool:
    """As far as the mistake was run: same outcomes, and same answers."""
    # Outcomes first: they are cheap to compare and tell most mistakes apart.
    known = theirs.outcomes.items()
    if theirs.whole and any(mine.outcomes.get(c) is not o for c, o in known):
        return False
    return all(agree(mine.record(i), known) for i, known in theirs.records.items())


def _is_telling(theirs: Known, reference: Known | None, mine: _Mine) -> bool:
    """Some failing check has answers that are not those of the reference."""
    nothing = record([])
    return reference is None or any(
        not agree(reference.records.get(check, nothing), record)
        for check, record in theirs.records.items()
        if check in mine.failing
    )
