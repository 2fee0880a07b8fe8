"""Suite for adding_problem: the parts first, then one training for all its checks."""

import math

import pytest
import torch

from grader.results import Curve
from grader.session import expect

pytestmark = pytest.mark.exercise("adding_problem")

T, HIDDEN, RATE, SIZE = 50, 16, 0.02, 32
CHUNK, CHUNKS = 50, 10
ENOUGH = 0.015  # stops a training: below the last step of points, with some room

MARKS = "Count the marks of one row, and see in which half of its own length they are."
SUMS = "Which two values of a row make its target?"
LOSS = "What do the words mean, squared and error ask for, and in which order?"
STATE = "Which state does the head read, and what is its shape before and after it?"
LAST = "At which step has everything been read, and at which step is it asked?"
STEP = "Go through one step by hand: gradients from before, loss, clipping, step."
LEARNS = "Beat 1/6 first: print the loss every 25 steps. Does it move at all?"


def _rows(case, n):
    """Fresh rows of T steps: one mark in each half."""
    values, marks = case.rand(n, T), torch.zeros(n, T)
    for low in (0, T // 2):
        marks[torch.arange(n), low + case.randint(0, T // 2, n)] = 1.0
    x = torch.stack([values, marks], dim=2)
    return x, torch.full((n,), T), (values * marks).sum(dim=1)


@pytest.mark.points(7)
@pytest.mark.numeric
def check_one_mark_in_each_half(student):
    """Every row has one mark in each half of its own length, and zeros past it."""
    x, lengths, targets = expect.sequence(
        student.adding_batch(64, 7, 12), 3, what="batch"
    )

    expect.tensor(x, (64, 12, 2), torch.float32, what="x")
    expect.tensor(lengths, (64,), torch.int64, what="lengths")
    expect.tensor(targets, (64,), torch.float32, what="targets")
    inside = (lengths >= 7) & (lengths <= 12)
    expect.true(bool(inside.all()), what="lengths in 7..12", hint=MARKS)
    step, marks = torch.arange(12), x[..., 1]
    early = step < (lengths // 2)[:, None]
    late = (step < lengths[:, None]) & ~early
    ones = torch.ones(64)
    expect.equal((marks * early).sum(1), ones, what="marks in early halves", hint=MARKS)
    expect.equal((marks * late).sum(1), ones, what="marks in late halves", hint=MARKS)
    kinds = sorted(set(marks.flatten().tolist()))
    expect.equal(kinds, [0.0, 1.0], what="numbers of the marks", hint=MARKS)
    past = step >= lengths[:, None]
    expect.zero_where(x, past[..., None].expand_as(x), what="x past each length")


@pytest.mark.points(7)
@pytest.mark.numeric
def check_targets_are_marked_sums(student):
    """A target is the sum of its row's marked values, all of them in [0, 1)."""
    x, lengths, targets = expect.sequence(
        student.adding_batch(2000, 5, 9), 3, what="batch"
    )

    expect.tensor(x, (2000, 9, 2), what="x")
    values, marks = x.unbind(dim=2)
    expect.close(targets, (values * marks).sum(1), what="targets", hint=SUMS)
    expect.true(
        bool((values >= 0).all() and (values < 1).all()), what="values in [0, 1)"
    )
    real = values[torch.arange(9) < lengths[:, None]]
    expect.close(real.mean(), 0.5, what="mean of the values", atol=0.06)
    # The mean of 2000 sums has a standard deviation of 0.009.
    expect.close(targets.mean(), 1.0, what="mean of the targets", atol=0.12, hint=SUMS)


@pytest.mark.points(5)
@pytest.mark.numeric
def check_loss_by_hand(student):
    """The loss is the mean of the squared differences."""
    loss = student.adding_loss(
        torch.tensor([1.0, 0.5, 2.0]), torch.tensor([0.0, 1.0, 2.0])
    )

    expect.close(loss, torch.tensor(1.25 / 3), what="loss", hint=LOSS)
    expect.inputs_unchanged(student, what="answers and targets", hint=LOSS)


@pytest.mark.points(8)
@pytest.mark.numeric
def check_answers_of_known_weights(student, case):
    """A plain RNN of given weights answers what its equations say."""
    B, S, H = 3, 6, 4
    model = student.Adder("RNN", H)
    weights = {
        "rnn.weight_ih_l0": case.randn(H, 2),
        "rnn.weight_hh_l0": case.randn(H, H, scale=0.6),
        "rnn.bias_ih_l0": case.randn(H),
        "rnn.bias_hh_l0": case.randn(H),
        "head.weight": case.randn(1, H),
        "head.bias": case.randn(1),
    }
    x, lengths = case.randn(B, S, 2), torch.tensor([2, 6, 4])

    model.load_state_dict(weights)
    answers = model(x, lengths)

    u, w, b, c, head, bias = weights.values()
    expected = torch.zeros(B)
    for row, length in enumerate(lengths.tolist()):
        h = torch.zeros(H)
        for t in range(length):
            h = torch.tanh(u @ x[row, t] + b + w @ h + c)
        expected[row] = head[0] @ h + bias[0]
    expect.tensor(answers, (B,), what="answers", hint=STATE)
    expect.close(answers, expected, what="answers", hint=LAST)


@pytest.mark.points(5)
@pytest.mark.numeric
def check_padding_stays_out(student, case):
    """With packed=True a row's answer is that of the row alone, in every kind."""
    x, lengths = case.randn(3, 7, 2), torch.tensor([3, 7, 5])
    other = x.clone()
    other[torch.arange(7) >= lengths[:, None]] = 9.0
    for kind in ("RNN", "LSTM", "GRU"):
        model = student.Adder(kind, 5)

        answers = expect.tensor(model(x, lengths), (3,), what="answers", hint=STATE)
        again = model(other, lengths)
        alone = model(x[:1, :3], lengths[:1])

        expect.close(again, answers, what=f"{kind}: other padding", hint=LAST)
        expect.close(alone, answers[:1], what=f"{kind}: one row alone", hint=LAST)
        expect.differs(answers[0], answers[1], what=f"{kind}: two rows")


@pytest.mark.points(8)
@pytest.mark.numeric
def check_one_step_by_hand(student, worker, case):
    """Each step follows the gradient of its own batch, cut to the norm."""
    batches = []
    # The second gradient is shorter than the limit: what is left of the first shows.
    for targets in (2 + case.rand(4), 0.3 + 0.1 * case.rand(4)):
        x = torch.stack([case.rand(4, 6), torch.zeros(4, 6)], dim=2)
        batches.append((x, torch.full((4,), 6), targets))
    model = worker.kit.Line()
    optimizer = worker.kit.sgd(model, lr=0.3)

    losses = student.train(model, optimizer, worker.kit.in_order(batches), 2, 0.5)

    weight, bias, expected = 0.0, 0.0, []
    for x, _, targets in batches:
        mean = x[..., 0].mean(dim=1)
        gap = weight * mean + bias - targets
        expected.append(float(gap.pow(2).mean()))
        slope = (2 * (gap * mean).mean(), 2 * gap.mean())
        norm = math.hypot(*slope)
        shrink = min(1.0, 0.5 / (norm + 1e-6))
        weight -= 0.3 * shrink * float(slope[0])
        bias -= 0.3 * shrink * float(slope[1])
    expect.length(losses, 2, what="losses", hint=STEP)
    expect.equal([type(v).__name__ for v in losses], ["float"] * 2, what="their types")
    expect.close(losses, expected, what="losses", hint=STEP, rtol=1e-4)
    state = model.state_dict()
    expect.close(state["weight"], weight, what="weight after it", hint=STEP)
    expect.close(state["bias"], bias, what="bias after it", hint=STEP)


@pytest.mark.points(10)
@pytest.mark.numeric
@pytest.mark.budget(90)
@pytest.mark.after("answers_of_known_weights")
@pytest.mark.hint(LEARNS)
def check_learns(student, worker, case, lab):
    """A GRU trained on rows of 50 steps has an error below 0.10 on fresh rows."""
    pool, early, test = case.once(
        "rows", lambda: [_rows(case, n) for n in (2048, 300, 600)]
    )

    def attempt(number):
        model = student.Adder("GRU", HIDDEN, packed=False)
        batches = worker.kit.minibatches(*pool, SIZE)
        optimizer = worker.kit.adam(model, lr=RATE)
        told, measured = [], []
        for chunk in range(CHUNKS):
            report = lab.reporter(
                f"GRU, try {number + 1}", CHUNK * chunk, CHUNK * CHUNKS
            )
            losses = student.train(model, optimizer, batches, CHUNK, report=report)
            expect.length(losses, CHUNK, what="losses")
            told += list(losses)
            measured.append(_error(model, early))
            if measured[-1] < ENOUGH:
                break
        return _error(model, test), (told, measured, model.state_dict())

    error, (told, measured, state) = lab.best_of(attempt, enough=0.02)

    lab.keep("state", state)
    steps = [float(CHUNK * (n + 1)) for n in range(len(measured))]
    each = [float(n + 1) for n in range(len(told))]
    lab.curves(
        "Adding problem, rows of 50 steps",
        [
            Curve("loss as train returned it", each, told, told=True),
            Curve("error on fresh rows", steps, measured),
        ],
        level=1 / 6,
    )
    _below(error, 0.10)


@pytest.mark.shown
@pytest.mark.budget(70)
@pytest.mark.after("learns")
def check_kinds_compared(student, worker, case, lab):
    """RNN, LSTM with a forget bias of 0 and of 1, and GRU, from one seed."""
    pool, fresh = _rows(case, 2048), _rows(case, 300)
    curves = []
    for kind, bias in (("RNN", None), ("LSTM", 0.0), ("LSTM", 1.0), ("GRU", None)):
        name = kind if bias is None else f"{kind}, forget bias {bias:.0f}"
        lab.same_draws()
        # Larger and longer than what is judged: an LSTM takes its time.
        model = student.Adder(kind, 24, forget_bias=bias, packed=False)
        curves.append(_followed(name, model, pool, fresh, student, worker, lab, 12))
    lab.curves("Rows of 50 steps, by kind", curves, y="error", level=1 / 6)


@pytest.mark.shown
@pytest.mark.budget(70)
@pytest.mark.after("learns")
def check_packing_compared(student, worker, case, lab):
    """A GRU on rows of 10 to 50 steps, with packing and without, from one seed."""
    pool, fresh = _padded(case, 2048), _padded(case, 300)
    curves = []
    for packed in (True, False):
        name = "packed" if packed else "not packed: the last padded step is read"
        lab.same_draws()
        model = student.Adder("GRU", HIDDEN, packed=packed)
        curves.append(_followed(name, model, pool, fresh, student, worker, lab))
    lab.curves("Rows of 10 to 50 steps", curves, y="error", level=1 / 6)


def _padded(case, n):
    """Rows of uneven lengths, padded with zeros to T steps."""
    lengths = case.lengths(n, 10, T)
    step, values = torch.arange(T), case.rand(n, T)
    middle = lengths.div(2, rounding_mode="floor")
    first = (case.rand(n) * middle).long()
    second = middle + (case.rand(n) * (lengths - middle)).long()
    marks = ((step == first[:, None]) | (step == second[:, None])).float()
    values = values * (step < lengths[:, None])
    return torch.stack([values, marks], dim=2), lengths, (values * marks).sum(dim=1)


def _followed(name, model, pool, fresh, student, worker, lab, chunks=6):
    """Train for some chunks; the curve of the error on fresh rows."""
    batches = worker.kit.minibatches(*pool, SIZE)
    optimizer, curve = worker.kit.adam(model, lr=RATE), Curve(name, [], [])
    for chunk in range(chunks):
        report = lab.reporter(name, CHUNK * chunk, CHUNK * chunks)
        student.train(model, optimizer, batches, CHUNK, report=report)
        curve.x.append(float(CHUNK * (chunk + 1)))
        curve.y.append(_error(model, fresh))
    return curve


def _error(model, rows):
    """Mean squared error, of our own arithmetic."""
    x, lengths, targets = rows
    with torch.no_grad():
        answers = expect.tensor(model(x, lengths), targets.shape, what="answers")
    return float((answers.double() - targets.double()).pow(2).mean())


def _below(error, limit):
    expect.true(
        error < limit,
        what="error on fresh rows after training",
        expected=f"less than {limit:.2f} (always answering 1 gives 0.17)",
        got=f"{error:.3f}",
        hint=LEARNS,
    )
