"""Hidden suite for beam_search: drawn tables, exhaustive search, ties, lengths."""

import itertools

import pytest
import torch

from grader.session import expect

pytestmark = pytest.mark.exercise("beam_search")

BEST = "May both survivors of a step come from the same prefix?"
ALL = "With room for every sequence, is one lost on the way?"
RANK = "The penalty ranks what was found. Does it choose what is kept?"
TIES = "Among equals, which sequence comes first in a dictionary?"
NEVER = "What is the chance of a sequence with one step of -inf?"
ONE = "bos and eos may be one id. Has anything ended before the first step?"
PLAIN = "Of which type is an id of your answer, and of which a score?"
CALLER = "What does the table hold that the caller still has?"
DONE = "Is a finished sequence still a part of the beam? And is it lost?"


def _table(case, T, V, scale=1.5):
    scores = case.randn(T, V, V, scale=scale, dtype=torch.float64)
    return torch.log_softmax(scores, dim=-1)


def _same(found, expected, hint):
    expect.length(found, len(expected), what="sequences", hint=hint)
    for place, (got, want) in enumerate(zip(found, expected, strict=True)):
        ids, score = expect.pair(got, what=f"sequence {place + 1}")
        expect.equal(ids, want[0], what=f"ids of sequence {place + 1}", hint=hint)
        what = f"score of sequence {place + 1}"
        # Sums that are kept in float32 on their way are off by some 1e-7 of themselves.
        expect.close(score, want[1], what=what, hint=hint, rtol=3e-6)


def _all(table, bos, eos, alpha):
    """Every sequence, best first: up to the first end, or T tokens without one."""
    T, V, _ = table.shape
    steps = table.tolist()
    found = []
    for n in range(1, T + 1):
        for ids in itertools.product(range(V), repeat=n):
            if eos in ids[:-1] or (n < T and ids[-1] != eos):
                continue
            path = zip((bos, *ids), ids, strict=False)
            total = sum(steps[t][a][b] for t, (a, b) in enumerate(path))
            found.append((list(ids), total / n**alpha))
    return sorted(found, key=lambda f: (-f[1], f[0]))


@pytest.mark.points(6)
@pytest.mark.numeric
def check_greedy_on_drawn_tables(student, case, reference):
    """Greedy and a beam of 1 agree on drawn tables."""
    # The step with the end; past the table there is none.
    for last, bos, eos in ((1, 0, 3), (3, 3, 0), (8, 0, 3)):
        table = _table(case, 8, 4, scale=0.7)
        # Whatever was drawn: 1 is first, then 2 and bos, which would be after bos, too.
        table[0, bos, 1] += 9.0
        table[1, 1, 2] += 9.0
        table[1, bos, bos] += 9.0
        table[2, 2, bos] += 9.0
        table[:last, :, eos] -= 20.0
        table[last:, :, eos] += 20.0
        expected = reference.greedy_search(table, bos, eos)
        ids = student.greedy_search(table, bos, eos)
        expect.equal(ids, expected, what="greedy")
        found = student.beam_search(table, 1, bos, eos)
        expect.length(found, 1, what="sequences of a beam of 1")
        expect.equal(expect.pair(found[0])[0], expected, what="beam of 1")


@pytest.mark.points(11)
@pytest.mark.numeric
def check_wide_beam_is_exhaustive(student, case):
    """A beam with room for everything finds every sequence, in order."""
    for T, V, alpha, bos in ((3, 3, 0.0, 0), (3, 3, 1.0, 2), (4, 2, 0.7, 0)):
        table, eos = _table(case, T, V), V - 1 - bos
        expected = _all(table, bos, eos, alpha)

        found = student.beam_search(table, V**T, bos, eos, alpha)

        _same(found, expected, ALL)


@pytest.mark.points(11)
@pytest.mark.numeric
def check_narrow_beams(student, case, reference):
    """Beams of 2 and 3 keep the likeliest candidates of all prefixes together."""
    # The end is out of reach, then one token among others, then the likeliest.
    ends = (2, 0.0, -9.0), (3, 0.0, 0.0), (3, 0.8, 2.0), (1, 1.6, -9.0)
    for width, alpha, end in ends:
        table = _table(case, 6, 5)
        table[..., 4] += end
        found = student.beam_search(table, width, 1, 4, alpha)
        expected = reference.beam_search(table, width, 1, 4, alpha)
        _same(found, expected, RANK if alpha else BEST)


@pytest.mark.points(6)
@pytest.mark.numeric
def check_ties(student):
    """Among equals the lexicographically smaller ids come first."""
    table = torch.full((2, 12, 12), 1 / 12, dtype=torch.float64).log()  # 2 before 10
    table[0, :, 11] = -9.0  # the end, at the last step alone
    two = 2 * float(table[0, 0, 0])

    alone = student.greedy_search(table, 2, 11)
    expect.equal(alone, [0, 0], what="greedy", hint=TIES)
    for width in (3, 12):
        found = student.beam_search(table, width, 0, 11)
        _same(found, [([0, token], two) for token in range(width)], TIES)

    # Equals that come from unequal prefixes, and one of them finished.
    table = torch.full((2, 4, 4), -9.0, dtype=torch.float64)
    table[0, 2] = torch.tensor([-2.0, -1.0, -9.0, -9.0])
    table[1, 0] = torch.tensor([-9.0, -2.0, -9.0, -9.0])
    table[1, 1] = torch.tensor([-3.0, -2.0, -9.0, -3.0])
    ranked = [([1, 1], -3.0), ([0, 1], -4.0), ([1, 0], -4.0), ([1, 3], -4.0)]
    for width in (3, 4):
        _same(student.beam_search(table, width, 2, 3), ranked[:width], TIES)

    # Not its length places a sequence among its equals, but its ids.
    for eos, other in ((2, 0), (0, 2)):
        table = torch.full((2, 3, 3), -9.0, dtype=torch.float64)
        table[0, 1, eos], table[0, 1, other], table[1, other, 1] = -4.0, -2.0, -2.0
        found = student.beam_search(table, 2, 1, eos)
        _same(found, sorted([([eos], -4.0), ([other, 1], -4.0)]), TIES)


@pytest.mark.points(3)
@pytest.mark.numeric
def check_one_id_for_both_marks(student, case, reference):
    """Where bos and eos are one id, the search still begins."""
    table, mark = _table(case, 5, 4), 2
    table[:2, :, mark] -= 9.0
    # Whatever was drawn: 0 then 3 is best, 1 would be after another 2, all end there.
    table[0, mark, 0] += 9.0
    table[1, 0, 3] += 9.0
    table[1, mark, 1] += 9.0
    table[2] -= 30.0
    table[2, :, mark] = -0.5

    ids = student.greedy_search(table, mark, mark)
    found = student.beam_search(table, 3, mark, mark)

    expected = reference.greedy_search(table, mark, mark)
    expect.equal(ids, expected, what="greedy", hint=ONE)
    _same(found, reference.beam_search(table, 3, mark, mark), ONE)


@pytest.mark.points(2)
@pytest.mark.property
def check_answers_are_plain_numbers(student, case):
    """Ids are Python's own ints and scores its own floats."""
    table = _table(case, 4, 4)
    table[:, :, 3] -= 9.0  # no end among the best, whatever was drawn

    ids = student.greedy_search(table, 0, 3)
    found = student.beam_search(table, 2, 0, 3, 0.5)

    expect.length(found, 2, what="sequences")
    found = [expect.pair(one, what="a sequence") for one in found]
    for tokens in (ids, found[0][0], found[1][0]):
        kind, listed = type(tokens).__name__, isinstance(tokens, list | tuple)
        expect.true(listed, what="ids", expected="a list", got=kind, hint=PLAIN)
        for token in tokens:
            expect.number(token, int, what="an id", hint=PLAIN)
    for _, score in found:
        expect.number(score, float, what="a score", hint=PLAIN)


@pytest.mark.points(3)
@pytest.mark.property
def check_table_is_left_alone(student, case):
    """The table is the same after each search as before."""
    table = _table(case, 4, 4)
    table[:, :, 3] -= 9.0  # no end among the best, whatever was drawn

    ids = student.greedy_search(table, 0, 3)
    expect.inputs_unchanged(student, what="table of greedy_search", hint=CALLER)
    found = student.beam_search(table, 2, 0, 3)
    expect.inputs_unchanged(student, what="table of beam_search", hint=CALLER)

    expect.true(len(ids) > 0, what="ids", expected="1 to 4 of them")
    expect.length(found, 2, what="sequences")


@pytest.mark.points(7)
@pytest.mark.numeric
def check_impossible_tokens(student, case, reference):
    """Tokens of -inf are never kept, even with room to spare; those of -2000 are."""
    table = _table(case, 4, 4)
    table[:, :, 2] = -torch.inf
    table[0, :, 3] = -2000.0
    table[0, 0, 1] = 0.0  # certain, the choice of a beam of 1, and a dead end
    table[1:, :, 1] -= 30.0  # without it a beam of 1 would go another way
    table[1:, 1] = -torch.inf

    for width in (30, 1):
        found = student.beam_search(table, width, 0, 3)

        _same(found, reference.beam_search(table, width, 0, 3), NEVER)


@pytest.mark.points(7)
@pytest.mark.numeric
def check_finished_sequences_leave_the_beam(student, case, reference):
    """A sequence that ends early is kept aside and makes room in the beam."""
    for width, alpha in ((2, 0.0), (3, 1.0), (4, 0.5)):
        table = _table(case, 7, 5, scale=0.7)
        # One good sequence ends after two steps, the others are open at the end.
        table[..., 3] = -20.0
        table[0, 0, 0] = table[1, 0, 3] = -0.5
        found = student.beam_search(table, width, 0, 3, alpha)
        expected = reference.beam_search(table, width, 0, 3, alpha)
        _same(found, expected, DONE)

    # Two end early, and what is still open then is the best of all.
    table = torch.full((3, 3, 3), -9.0, dtype=torch.float64)
    table[:, 0] = torch.tensor([[-0.1, -9, -3], [-0.1, -9, -4], [-0.1, -9, -5]])
    found = student.beam_search(table, 2, 0, 2)
    _same(found, [([0, 0, 0], -0.3), ([2], -3.0)], DONE)
