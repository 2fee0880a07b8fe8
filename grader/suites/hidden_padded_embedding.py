"""Hidden suite for padded_embedding: drawn tables, training, what is refused."""

import pytest
import torch

from grader.session import expect

pytestmark = pytest.mark.exercise("padded_embedding")

SHAPE = "ids.shape, and D at the end: also for a scalar and for no ids at all."
SPREAD = "Look at mean and deviation of the rows that are not padding."
LEARNS = "Take a few steps of an optimizer. Which rows have moved?"
NEGATIVE = "What is weight[-1]?"
LONG = "Which dtype may an id have?"
OWN = "The lookup itself is the exercise: one index into weight."


@pytest.mark.points(9)
@pytest.mark.numeric
def check_ids_of_any_shape(student, case):
    """Scalars, empty batches and three axes of ids are looked up."""
    V, D = case.sizes(V=(6, 9), D=(2, 5))
    table = student.PaddedEmbedding(V, D, 1)
    weight = table.state_dict()["weight"]

    for shape in ((), (0,), (2, 3, 4)):
        ids = case.randint(0, V, *shape)
        got = table(ids)
        expect.tensor(got, (*shape, D), what="rows", hint=SHAPE)
        expect.close(got, weight[ids], what="rows", hint=SHAPE)


@pytest.mark.points(6)
@pytest.mark.property
def check_rows_are_spread(student):
    """Rows are drawn with mean 0 and deviation 1, each time anew."""
    first = student.PaddedEmbedding(60, 50, 59).state_dict()["weight"]
    second = student.PaddedEmbedding(60, 50, 59).state_dict()["weight"]

    for weight in (first, second):
        rows = expect.tensor(weight, (60, 50), what="weight")[:59].double()
        expect.close(float(rows.mean()), 0.0, atol=0.1, what="mean", hint=SPREAD)
        expect.close(float(rows.std()), 1.0, atol=0.1, what="deviation", hint=SPREAD)
        expect.close(weight[59], torch.zeros(50), what="padding row")
    expect.differs(first, second, what="two tables")


@pytest.mark.points(14)
@pytest.mark.numeric
def check_gradients_of_drawn_ids(student, case):
    """The gradient of a row is the sum over its places, and zero at padding."""
    V, D, B, T = case.sizes(V=(6, 9), D=(2, 3), B=(4, 5), T=(10, 12))
    padding_idx = case.integer(0, V - 1)
    table = student.PaddedEmbedding(V, D, padding_idx)
    ids, factor = case.randint(0, V, B, T), case.randn(B, T, D)
    ids[:, -2:] = padding_idx

    (expect.tensor(table(ids), (B, T, D), what="rows") * factor).sum().backward()

    expected = torch.zeros(V, D).index_add_(0, ids.flatten(), factor.reshape(-1, D))
    expected[padding_idx] = 0.0
    expect.close(table.grads()["weight"], expected, what="weight.grad", hint=LEARNS)


@pytest.mark.points(10)
@pytest.mark.numeric
def check_training_leaves_padding_at_zero(student, case):
    """After steps of gradient descent padding is still zero, and words have moved."""
    V, D = case.sizes(V=(6, 9), D=(2, 5))
    table = student.PaddedEmbedding(V, D, 0)
    start = table.state_dict()["weight"]
    ids, target = torch.tensor([[0, 1, 2], [0, 0, 1]]), case.randn(2, 3, D)

    ours = start.clone()
    for _ in range(3):
        table.zero_grad()
        (table(ids) - target).pow(2).sum().backward()
        grad = expect.tensor(table.grads()["weight"], (V, D), what="weight.grad")
        table.load_state_dict({"weight": table.state_dict()["weight"] - 0.1 * grad})
        error = torch.zeros(V, D).index_add_(
            0, ids.flatten(), 2 * (ours[ids] - target).reshape(-1, D)
        )
        error[0] = 0.0
        ours = ours - 0.1 * error

    expect.close(table.state_dict()["weight"], ours, what="weight", hint=LEARNS)


@pytest.mark.points(6)
@pytest.mark.numeric
def check_other_ids_of_padding(student, case):
    """Any id can be the padding, the last one too."""
    V, D = case.sizes(V=(5, 8), D=(2, 4))
    for padding_idx in (V - 1, V // 2):
        table = student.PaddedEmbedding(V, D, padding_idx)
        weight = table.state_dict()["weight"]
        got = table(torch.arange(V))
        expect.close(got, weight, what="rows")
        expect.close(got[padding_idx], torch.zeros(D), what="padding")
        others = [i for i in range(V) if i != padding_idx]
        least = weight[others].abs().amax(1).min()
        expect.true(bool(least > 0), what="other rows", expected="not zero")


@pytest.mark.points(10)
@pytest.mark.numeric
def check_no_ready_made_layer(student):
    """The module is one parameter called weight, without an nn.Embedding."""
    table = student.PaddedEmbedding(5, 3, 0)
    names, state = table.module_names(), table.state_dict()

    got = table(torch.tensor([1]))
    expect.equal(sorted(state), ["weight"], what="names of the parameters")
    expect.close(got, state["weight"][[1]], what="row of id 1")
    ready = "Embedding" in names or "EmbeddingBag" in names
    expect.true(not ready, what="layers", expected="none", got=str(names), hint=OWN)


@pytest.mark.points(5)
@pytest.mark.errors
def check_what_is_refused(student, case):
    """Negative ids raise IndexError, ids that are not int64 TypeError."""
    table = student.PaddedEmbedding(5, 3, 0)
    weight = table.state_dict()["weight"]

    good = table(torch.tensor([4, 2]))
    expect.close(good, weight[[4, 2]], what="rows")
    with expect.raises(IndexError, what="a negative id", hint=NEGATIVE):
        table(torch.tensor([1, -1]))
    for bad in (torch.tensor([1.0, 2.0]), torch.tensor([True, False])):
        with expect.raises(TypeError, what=f"ids of {bad.dtype}", hint=LONG):
            table(bad)
