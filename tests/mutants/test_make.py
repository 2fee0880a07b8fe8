"""Mutants are made between the marks alone, each one once, and always the same."""

import ast

import pytest

from grader.errors import CourseError
from grader.mutants import equivalent
from grader.mutants.make import mutants_of, sample

HEAD = '''import torch

LIMIT = 7


def f(x, mask, dim=-1):
    """Text."""
    # BEGIN SOLUTION f (TODO 1 of 1): as told. About 1 line.
'''
END = "    # END SOLUTION\n"


def solution(*lines: str) -> str:
    return HEAD + "".join(f"    {line}\n" for line in lines) + END


def changes(*lines: str) -> set[str]:
    """What the one statement of interest becomes."""
    found = mutants_of("f", solution(*lines))
    return {m.becomes for m in found}


@pytest.mark.parametrize(
    ("line", "becomes"),
    [
        ("return x.sum(1, keepdim=True)", "return x.sum(1)"),
        ("return x.sum(1, keepdim=True)", "return x.sum(2, keepdim=True)"),
        ("return x.sum(1, keepdim=True)", "return x.mean(1, keepdim=True)"),
        ("return torch.softmax(x, dim=dim)", "return torch.softmax(x, dim=-1)"),
        ("return torch.softmax(x, dim=dim)", "return torch.softmax(x, dim=0)"),
        ("return x.masked_fill(mask, -9.0)", "return x.masked_fill(~mask, -9.0)"),
        ("return x.masked_fill(mask, -1e9)", "return x.masked_fill(mask, -1.0)"),
        ("return torch.where(mask, 0, x)", "return torch.where(~mask, 0, x)"),
        ("return torch.where(mask, 0, x)", "return torch.where(mask, x, 0)"),
        ("return x[3:6]", "return x[6:6 + (6 - 3)]"),
        ("return x[3:6]", "return x[3 - (6 - 3):3]"),
        ("return x.transpose(1, 2)", "return x"),
        ("return x.detach()", "return x"),
        ("return x.T @ mask", "return x @ mask"),
        ("return x @ mask", "return mask @ x"),
        ("return x / 2", "return x"),
        ("return torch.tanh(x)", "return torch.sigmoid(x)"),
        ("return x < 3", "return x <= 3"),
        ("return x, mask", "return (mask, x)"),
        ("return x[:, dim]", "return x[dim, :]"),
        ("return f(mask, x)", "return f(x, mask)"),
        ("x += 1", "x -= 1"),
        ("x += 1", "x = 1"),
        ("x.detach_()", "pass"),
        ("raise ValueError('no')", "raise RuntimeError('no')"),
        ("raise ValueError('no')", "pass"),
        ("return x if mask is None else 0", "return x if mask is not None else 0"),
        ("return max(x, 0)", "return min(x, 0)"),
        ("return -x", "return x"),
        ("return [y for y in x if y]", "return [y for y in x if True]"),
    ],
)
def test_operator_makes_the_change_that_its_name_promises(line, becomes):
    assert becomes in changes(line)


def test_compound_statements_are_changed_in_their_first_line():
    got = changes("with torch.no_grad():", "    x += 1", "for y in x:", "    break")
    assert "with torch.enable_grad():" in got
    assert "for y in reversed(list(x)):" in got
    assert "for y in list(x)[:1]:" in got
    assert "continue" in got


def test_text_outside_the_marks_and_text_for_people_stay():
    text = solution("y: list[int] = []", "raise ValueError(f'{x} is below 1')")
    for mutant in mutants_of("f", text):
        assert mutant.text.startswith(HEAD)
        assert mutant.text.endswith(END)
        assert "is below 1" in mutant.text or mutant.becomes == "pass"
        assert "y: list[int] = " in mutant.text


def test_changed_text_differs_in_the_lines_of_its_diff_alone():
    text = solution("y = x + 1  # a comment", "", "return y * 2")
    lines = text.splitlines()
    for mutant in mutants_of("f", text):
        pairs = zip(lines, mutant.text.splitlines(), strict=True)
        changed = [i for i, (a, b) in enumerate(pairs, 1) if a != b]
        assert changed == [mutant.line]


def test_no_two_mutants_are_the_same_program_and_none_is_the_solution():
    text = solution("if mask is None:", "    return x", "return x * mask + 1")
    shapes = [ast.dump(ast.parse(m.text)) for m in mutants_of("f", text)]
    assert len(set(shapes)) == len(shapes)
    assert ast.dump(ast.parse(text)) not in shapes


def test_statement_goes_only_where_no_name_goes_missing():
    got = [m.becomes for m in mutants_of("f", solution("y = x", "x = y", "return x"))]
    assert got == ["pass"]


def test_digest_survives_changes_elsewhere_and_tells_repeats_apart():
    first = mutants_of("f", solution("x = x - 1", "x = x - 1", "return x"))
    second = mutants_of("f", solution("# moved", "x = x - 1", "x = x - 1", "return 0"))
    digests = [m.digest for m in first]
    assert len(set(digests)) == len(digests)
    assert set(digests) <= {m.digest for m in second}


def test_sample_is_the_same_each_time_and_no_larger_than_asked():
    every = mutants_of("f", solution("return x * 2 + 3 - mask"))
    assert sample(every, 4) == sample(list(reversed(every)), 4)
    assert len(sample(every, 4)) == 4
    assert len(sample(every, 10**6)) == len(every)


@pytest.fixture
def listed(tmp_path):
    mutant = mutants_of("f", solution("return x * 2"))[0]
    entry = equivalent.as_entry(mutant).replace('""', '"because"')
    (tmp_path / equivalent.FILE).write_text(entry, encoding="utf-8")
    return tmp_path


def test_reviewed_entry_fits_until_its_statement_changes(listed):
    entries = equivalent.read(listed)
    assert equivalent.stale(entries, mutants_of("f", solution("return x * 2"))) == []
    changed = mutants_of("f", solution("return x + 2"))
    assert equivalent.stale(entries, changed) == list(entries)


def test_reviewed_entry_without_a_reason_is_refused(listed):
    path = listed / equivalent.FILE
    path.write_text(path.read_text(encoding="utf-8").replace("because", " "))
    with pytest.raises(CourseError, match="gives no reason"):
        equivalent.read(listed)


def test_list_with_an_unknown_key_is_refused(listed):
    path = listed / equivalent.FILE
    path.write_text(path.read_text(encoding="utf-8") + "\nwhy = 1\n")
    with pytest.raises(CourseError, match="unknown field"):
        equivalent.read(listed)


def test_every_reviewed_list_of_this_course_is_up_to_date(root):
    lists = sorted((root / "variants").glob(f"*/{equivalent.FILE}"))
    assert lists
    for path in lists:
        name = path.parent.name
        text = (root / "solutions" / f"{name}.py").read_text(encoding="utf-8")
        entries = equivalent.read(path.parent)
        assert equivalent.stale(entries, mutants_of(name, text)) == [], name
