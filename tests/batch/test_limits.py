import msgspec
from gradings import submission

from grader.batch.limits import LimitScale
from grader.batch.plan import Plan


def plan(*todo, files=("add", "mul")):
    one = submission("s1", dict.fromkeys(files, "x"))
    return Plan(one, "", dict.fromkeys(("add", "mul"), "k"), {}, list(todo))


def test_limits_are_shared_once_every_exercise_was_measured(bench):
    with bench.book() as book:
        scale = LimitScale(book, ["add", "mul"])
        scale.learn({"add/one": 7.5}, plan("add"))
        assert scale.known is None
        scale.learn({"add/one": 6.0, "mul/two": 9.0}, plan("mul"))
        assert scale.known == {"add/one": 7.5, "mul/two": 9.0}
        scale.learn({"add/one": 99.0}, plan("add"))
        assert scale.known["add/one"] == 7.5


def test_later_run_of_the_gradebook_has_the_same_limits_until_a_new_seed(bench):
    with bench.book() as book:
        LimitScale(book, ["add", "mul"]).learn({"add/one": 7.5}, plan("add", "mul"))
        assert LimitScale(book, ["add", "mul"]).known == {"add/one": 7.5}
        assert LimitScale(book, ["add", "mul", "sub"]).known is None
        book.new_seed()
        assert LimitScale(book, ["add", "mul"]).known is None


def test_exercise_without_a_file_was_not_measured(bench):
    with bench.book() as book:
        scale = LimitScale(book, ["add", "mul"])
        scale.learn({}, plan("add", "mul", files=["add"]))
        assert scale.known is None


def test_sessions_get_the_limits_of_the_gradebook(bench):
    bench.grade([submission("s1", {"add": "a", "mul": "b"})])
    bench.grade([submission("s2", {"add": "c", "mul": "limits"})])
    check = bench.current("s2").exercises["mul"].checks[0]
    assert msgspec.json.decode(check.message) == {"add/one": 42.0}
