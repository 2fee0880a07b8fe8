"""From a hand-in to the reports: one real batch, then what each reader sees."""

from pathlib import Path

import pytest
from small_quiz import small_course

from grader.commands import check, grade
from grader.course import load_course
from grader.gradebook import KeyMaker
from grader.report.editions import build, text_of
from grader.report.html import render_report
from grader.results import from_json

SHEET = 'sky = "a"\nprimes = ["a"]\nhalf = 0.5\n'


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """The course and its result of one sheet, through batch and gradebook."""
    tmp_path = tmp_path_factory.mktemp("graded")
    small = small_course(tmp_path / "course")
    tmp_path = tmp_path_factory.mktemp("graded")
    small = small_course(tmp_path / "course")
    (tmp_path / "class" / "lee").mkdir(parents=True)
    (tmp_path / "class/lee/ideas.toml").write_text(SHEET, encoding="utf-8")
    options = grade.Options(
        paths=[tmp_path / "class"],
        out=tmp_path / "out",
        jobs=1,
        isolation="none",
        layout=None,
        only=[],
        exercises=[],
        regrade=False,
        new_seed=False,
        scheduler="",
        json=False,
        plain=True,
    )
    assert grade.run(small.root, options) == 0
    line = (tmp_path / "out/results.jsonl").read_text(encoding="utf-8")
    return small, from_json(line), tmp_path / "out"


def test_a_quiz_goes_through_batch_gradebook_and_reports(graded):
    course, result, out = graded
    ideas = result.exercises["ideas"]
    assert (result.status, ideas.score, ideas.max_score) == ("graded", 3, 6)
    assert (ideas.status, ideas.source) == ("partial", "ideas.toml")
    assert [(c.id, c.points, c.got) for c in ideas.checks] == [
        ("sky", 0, "a"),
        ("primes", 1, "a"),
        ("half", 2, "0.5"),
    ]
    student = (out / "reports/student/lee.html").read_text(encoding="utf-8")
    teacher = (out / "reports/ta/lee.html").read_text(encoding="utf-8")
    assert "WHYSKY" in teacher
    assert "WHYSKY" not in student

    for shown in (text_of(build(result, course, "student")), student):
        assert "Primes" in shown
        assert "a, c" not in shown
    course = load_course(course.root)
    course.policy.quiz_explanations = True
    explained = render_report(result, course, "student")
    assert "WHYSKY" in explained
    assert "a, c" in explained


def test_equal_answers_to_two_questions_are_not_folded(graded):
    course, result, _ = graded
    page = render_report(result, course, "student")
    assert page.count('<article class="check"') == 2


@pytest.mark.parametrize("file", ["questions_ideas.toml", "answers_ideas.toml"])
def test_a_changed_quiz_is_marked_again(small, file):
    def key():
        return KeyMaker(small, isolation="none", seed="s").key("digest", "ideas")

    before = key()
    path = small.folder("quiz") / file
    path.write_text(path.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert key() != before


def run_check(course, text):
    folder = course.folder("exercises")
    folder.mkdir(exist_ok=True)
    (folder / "ideas.toml").write_text(text, encoding="utf-8")
    options = check.Options(["ideas"], None, False, False, False, True)
    return check.run(course.root, options)


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ('sky = "a"\nprimes = ["b"]\nhalf = 9\n', 0, "all answered"),
        ('sky = "a"\nprimes = []\nhalf = 9\n', 1, "partly answered"),
        ('sky = "x"\nprimes = ["a"]\nhalf = 9\n', 1, "x is none of the options"),
        ('sky = ""\n', 1, "not answered yet"),
    ],
)
def test_check_says_only_what_is_answered(small, capsys, text, code, said):
    (small.folder("quiz") / "answers_ideas.toml").unlink()
    assert run_check(small, text) == code
    shown = capsys.readouterr().out
    assert said in shown
    assert "passed" not in shown
    assert "points:" not in shown


def test_a_course_with_an_unknown_kind_is_refused(small: object, tmp_path: Path):
    path = tmp_path / "course/course.toml"
    text = path.read_text(encoding="utf-8").replace('"quiz"', '"quizz"')
    path.write_text(text, encoding="utf-8")
    with pytest.raises(Exception, match="unknown kind 'quizz'; did you mean: quiz"):
        load_course(path.parent)
