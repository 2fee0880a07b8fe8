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
OTHER_DTYPES = (torch.float32, torch.float64, torch.float16, torch.bool, torch.int32)
OTHER_DTYPES += (torch.int16, torch.int8, torch.uint8, torch.bfloat16)
TAILS = "How many normal numbers in a hundred are beyond two deviations?"
ANEW = "How many numbers are drawn for a table of V rows of D, and for the next table?"
CALLER = "What happened to the tensor that the caller still holds?"
OWN = "The lookup itself is the exercise: one index into weight."


def _table(student, worker, case, V, D, padding_idx):
    """A table with drawn rows, and these rows: 0 at padding."""
    table, rows = student.PaddedEmbedding(V, D, padding_idx), case.randn(V, D)
    rows[padding_idx] = 0.0
    worker.kit.fill(table, rows)
    return table, rows


@pytest.mark.points(9)
@pytest.mark.numeric
def check_ids_of_any_shape(student, worker, case):
    """Scalars, empty batches and three axes of ids are looked up."""
    V, D = case.sizes(V=(6, 9), D=(2, 5))
    table, weight = _table(student, worker, case, V, D, 1)

    for shape in ((), (0,), (2, 3, 4)):
        ids = case.randint(0, V, *shape)
        ids.view(-1)[:3] = torch.tensor([0, 1, V - 1])[: ids.numel()]
        got = table(ids)
        expect.tensor(got, (*shape, D), torch.float32, what="rows", hint=SHAPE)
        expect.close(got, weight[ids], what="rows", hint=SHAPE)


@pytest.mark.points(6)
@pytest.mark.property
def check_rows_are_spread(student, worker):
    """Rows are drawn with mean 0 and deviation 1, but for the padding row."""
    table, other = (student.PaddedEmbedding(60, 50, 59) for _ in range(2))
    facts = worker.kit.start(table, 59)

    expect.true(facts["mean is 0"], what="mean", expected="about 0", hint=SPREAD)
    expect.true(
        facts["deviation is 1"], what="deviation", expected="about 1", hint=SPREAD
    )
    expect.true(facts["tails are normal"], what="tails", expected="normal", hint=TAILS)
    expect.true(
        facts["each is drawn"] and not worker.kit.alike(table, other),
        what="numbers of the rows, and of two tables",
        expected="each drawn anew",
        hint=ANEW,
    )
    expect.true(facts["padding is zero"], what="padding row", expected="0")


@pytest.mark.points(12)
@pytest.mark.numeric
def check_gradients_of_drawn_ids(student, worker, case):
    """The gradient of a row is the sum over its places, and zero at padding."""
    V, D, B, T = case.sizes(V=(6, 9), D=(2, 3), B=(4, 5), T=(10, 12))
    padding_idx = case.integer(1, V - 2)
    table, weight = _table(student, worker, case, V, D, padding_idx)
    weight[V - 1] = 0.0  # a word may be zero as well, and learns all the same
    worker.kit.fill(table, weight)
    ids, factor = case.randint(0, V, B, T), case.randn(B, T, D)
    ids[:, 0], ids[:, 1], ids[:, -2:] = 0, V - 1, padding_idx

    # Of any shape: a batch, one of three axes, one sentence, a single id.
    shaped = [(ids, factor), (ids[:, None], factor[:, None])]
    shaped += [(ids[1], factor[1]), (ids[1, 1], factor[1, 1])]
    for each, part in shaped:
        table.zero_grad()
        got = expect.tensor(table(each), part.shape, what="rows")
        expect.true(got.requires_grad, what="rows.requires_grad", hint=LEARNS)
        (got * part).sum().backward()

        flat = each.reshape(-1)
        expected = torch.zeros(V, D).index_add_(0, flat, part.reshape(-1, D))
        expected[padding_idx] = 0.0
        grad = table.grads()["weight"]
        expect.close(grad, expected, what="weight.grad", hint=LEARNS)


@pytest.mark.points(10)
@pytest.mark.numeric
def check_training_leaves_padding_at_zero(student, worker, case):
    """After steps of gradient descent padding is still zero, and words have moved."""
    V, D = case.sizes(V=(6, 9), D=(2, 5))
    table, start = _table(student, worker, case, V, D, 0)
    ids, target = torch.tensor([[0, 1, 2], [0, 0, 1]]), case.randn(2, 3, D)

    ours = start.clone()
    for _ in range(3):
        table.zero_grad()
        (table(ids) - target).pow(2).sum().backward()
        grad = expect.tensor(table.grads()["weight"], (V, D), what="weight.grad")
        worker.kit.fill(table, table.state_dict()["weight"] - 0.1 * grad)
        error = torch.zeros(V, D).index_add_(
            0, ids.flatten(), 2 * (ours[ids] - target).reshape(-1, D)
        )
        error[0] = 0.0
        ours = ours - 0.1 * error

    expect.close(table.state_dict()["weight"], ours, what="weight", hint=LEARNS)


@pytest.mark.points(6)
@pytest.mark.numeric
def check_other_ids_of_padding(student, worker, case):
    """Any id can be the padding, the first and the last one too."""
    V, D = case.sizes(V=(5, 8), D=(2, 4))
    made = []  # all before the first of them is used
    for padding_idx in (0, V - 1, V // 2):
        new = student.PaddedEmbedding(V, D, padding_idx)
        filled = _table(student, worker, case, V, D, padding_idx)
        made.append((worker.kit.start(new, padding_idx), *filled))
    for facts, table, weight in made:
        expect.close(table(torch.arange(V)), weight, what="rows")
        expect.true(facts["padding is zero"], what="padding row", expected="0")
        expect.true(facts["words are not"], what="other rows", expected="not 0")


@pytest.mark.points(3)
@pytest.mark.property
def check_ids_are_left_alone(student, worker, case):
    """The ids are the same after the call as before, padding among them."""
    table, weight = _table(student, worker, case, 6, 3, 4)
    ids = torch.tensor([[4, 0, 5], [2, 4, 4]])

    got = table(ids)

    expect.inputs_unchanged(student, what="ids", hint=CALLER)
    expect.close(got, weight[ids], what="rows")


@pytest.mark.points(9)
@pytest.mark.numeric
def check_no_ready_made_layer(student, worker, case):
    """The module is one parameter called weight, without an nn.Embedding."""
    table = student.PaddedEmbedding(5, 3, 0)
    layers, names = table.module_names(), worker.kit.names(table)

    ready = "Embedding" in layers or "EmbeddingBag" in layers
    expect.true(not ready, what="layers", expected="none", got=str(layers), hint=OWN)
    expect.equal(names, ["weight"], what="names of the parameters")
    table, weight = _table(student, worker, case, 5, 3, 0)
    expect.close(table(torch.tensor([1])), weight[[1]], what="row of id 1")


@pytest.mark.points(5)
@pytest.mark.errors
def check_what_is_refused(student, worker, case):
    """Negative ids raise IndexError, ids that are not int64 TypeError."""
    table, weight = _table(student, worker, case, 5, 3, 0)

    good = table(torch.tensor([4, 2]))
    expect.close(good, weight[[4, 2]], what="rows")
    for bad in (-1, -3, 2**40):
        with expect.raises(IndexError, what=f"an id of {bad}", hint=NEGATIVE):
            table(torch.tensor([[1, 2], [0, bad]]))
    for dtype in OTHER_DTYPES:
        with expect.raises(TypeError, what=f"ids of {dtype}", hint=LONG):
            table(torch.tensor([1, 0]).to(dtype))
