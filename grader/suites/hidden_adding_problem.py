"""Hidden suite for adding_problem: drawn cases, and the trained weights run here."""

import pytest
import torch

from grader.session import expect

pytestmark = pytest.mark.exercise("adding_problem")

T, HIDDEN = 50, 16
SPREAD = "Plot a histogram of lengths, of values, of where the marks stand."
LAST = "At which step has everything been read?"
PADDED = "packed=False is there to be compared with: which state does it read?"
STEP = "Compare the weights after one step with those of a loop written out."
REPORT = "When is report called, and with which three numbers?"
SHAPES = "What does (B,) minus (B, 1) give?"
LEARNS = "Print the loss every 25 steps. Where does it stop going down?"


def _pair(student, reference, case, kind, H, **options):
    """The student's model and the reference's with the same drawn weights."""
    ours = reference.Adder(kind, H, **options)
    weights = {
        name: case.randn(*value.shape, scale=0.5)
        for name, value in ours.state_dict().items()
    }
    ours.load_state_dict(weights)
    model = student.Adder(kind, H, **options)
    model.load_state_dict(weights)
    return model, ours


@pytest.mark.points(7)
@pytest.mark.numeric
def check_draws_are_uniform(student):
    """Lengths, values and places of the marks are spread over all they may be."""
    n = 12000
    x, lengths, targets = expect.sequence(
        student.adding_batch(n, 4, 7), 3, what="batch"
    )

    expect.tensor(x, (n, 7, 2), what="x")
    expect.tensor(lengths, (n,), what="lengths")
    shares = torch.stack([(lengths == k).double().mean() for k in range(4, 8)])
    quarter = torch.full((4,), 0.25).double()
    expect.close(shares, quarter, what="shares of lengths", atol=0.05, hint=SPREAD)
    spread = targets.double().var()
    expect.close(spread, 1 / 6, what="variance of the targets", atol=0.02, hint=SPREAD)
    # Of seven steps the first three share one mark, the last four the other.
    places = x[lengths == 7][..., 1].double().mean(dim=0)
    # A share of 3000 rows has a standard deviation of 0.008.
    shared = torch.tensor([1 / 3] * 3 + [1 / 4] * 4).double()
    expect.close(places, shared, what="shares of places", atol=0.05, hint=SPREAD)
    several = x[..., 0].unique().numel() > 1000
    expect.true(several, what="values", expected="each drawn anew", hint=SPREAD)

    def small(n, low, high):
        batch = expect.sequence(student.adding_batch(n, low, high), 3, what="batch")
        lengths = expect.tensor(batch[1], (n,), what="lengths")
        return expect.tensor(batch[0], (n, high, 2), what="x"), lengths

    one, other = small(40, 6, 6)[0], small(40, 6, 6)[0]
    for column in (0, 1):
        expect.differs(other[..., column], one[..., column], what="a second batch")
    # A single row of at most 30 steps is seldom as long as that.
    lengths = [int(small(1, 4, 30)[1].sum()) for _ in range(4)]
    expect.true(min(lengths) < 30, what="lengths", expected="not all 30", hint=SPREAD)


@pytest.mark.points(8)
@pytest.mark.numeric
def check_answers_of_every_kind(student, case, reference):
    """RNN, LSTM and GRU of drawn weights answer as the reference does."""
    B, S = case.sizes(B=(3, 5), S=(7, 9))
    x, lengths = case.randn(B, S, 2), case.lengths(B, 1, S)
    for kind, H in (("RNN", 4), ("LSTM", 6), ("GRU", 5)):
        model, ours = _pair(student, reference, case, kind, H)

        answers = model(x, lengths)

        expect.close(answers, ours(x, lengths), what=f"answers of {kind}", hint=LAST)
        one = model(x[:1], lengths[:1])
        expect.close(one, ours(x[:1], lengths[:1]), what="a batch of one row")


@pytest.mark.points(5)
@pytest.mark.numeric
def check_unpacked_reads_the_last_step(student, case, reference):
    """With packed=False the state after the last step is read, padding and all."""
    x, lengths = case.randn(9, 7, 2), case.lengths(9, 2, 6)  # no row is full
    for kind in ("LSTM", "RNN"):
        model, ours = _pair(student, reference, case, kind, 5, packed=False)

        for rows in (9, 1):
            answers = model(x[:rows], lengths[:rows])

            expected = ours(x[:rows], lengths[:rows])
            expect.close(answers, expected, what=f"{kind}: answers", hint=PADDED)


@pytest.mark.points(9)
@pytest.mark.numeric
def check_trains_like_the_reference(student, worker, case, reference):
    """Four steps of Adam lead to the reference's losses and weights."""
    model, ours = _pair(student, reference, case, "LSTM", 5, packed=False)
    batches = [
        (case.rand(3, 6, 2), torch.full((3,), 6), 3 * case.rand(3)) for _ in range(4)
    ]
    theirs = torch.optim.Adam(ours.parameters(), lr=0.05)
    optimizer = worker.kit.adam(model, lr=0.05)

    # In two parts, as a lab trains: what Adam remembers goes on.
    losses = []
    for part in (batches[:1], batches[1:]):
        order, n = worker.kit.in_order(part), len(part)
        told = student.train(model, optimizer, order, n, max_norm=0.3, every=1)
        losses += expect.sequence(told, n, what="losses", hint=STEP)

    expected = reference.train(ours, theirs, iter(batches), 4, max_norm=0.3)
    expect.equal([type(v).__name__ for v in losses], ["float"] * 4, what="their types")
    expect.close(losses, expected, what="losses", hint=STEP, rtol=1e-3)
    state = model.state_dict()
    for name, value in ours.state_dict().items():
        got = state.get(name)
        expect.close(got, value, what=f"{name} after it", hint=STEP, atol=2e-3)


@pytest.mark.points(3)
@pytest.mark.numeric
def check_progress_is_reported(student, worker, case):
    """The report gets the step, the number of steps and the loss, every so often."""
    batches = [
        (case.rand(3, 4, 2), torch.full((3,), 4), case.rand(3)) for _ in range(7)
    ]
    model, notes = worker.kit.Line(), worker.kit.Notes()
    optimizer = worker.kit.sgd(model, lr=0.1)

    losses = student.train(
        model, optimizer, worker.kit.in_order(batches), 7, report=notes, every=3
    )

    told = expect.sequence(notes.seen(), 2, what="calls of report", hint=REPORT)
    expect.length(losses, 7, what="losses")
    expect.equal([type(v).__name__ for v in losses], ["float"] * 7, what="their types")
    expected = [[3, 7, losses[2]], [6, 7, losses[5]]]
    expect.close([list(t) for t in told], expected, what="what was told", hint=REPORT)


@pytest.mark.points(3)
@pytest.mark.errors
def check_other_shapes_are_refused(student, case):
    """The loss of answers and targets of different shapes is a ValueError."""
    answers, targets = case.randn(4), case.randn(4)
    right = (answers - targets).pow(2).mean()

    expect.close(student.adding_loss(answers, targets), right, what="loss")
    for other in (targets[:, None], targets.view(2, 2), targets[:1], targets[0]):
        for one, two in ((answers, other), (other, targets)):
            what = f"{tuple(one.shape)} against {tuple(two.shape)}"
            with expect.raises(ValueError, what=what, hint=SHAPES):
                student.adding_loss(one, two)


@pytest.mark.points(7)
@pytest.mark.numeric
@pytest.mark.after("learns")
@pytest.mark.hint(LEARNS)
def check_learns_well(lab, case, reference):
    """The trained weights have an error below 0.05 on other fresh rows."""
    _judge(lab, case, reference, 0.05)


@pytest.mark.points(8)
@pytest.mark.numeric
@pytest.mark.after("learns")
@pytest.mark.hint(LEARNS)
def check_learns_it(lab, case, reference):
    """The trained weights have an error below 0.02 on other fresh rows."""
    _judge(lab, case, reference, 0.02)


def _judge(lab, case, reference, limit):
    """The error of the student's weights in our own model, on rows of our own."""
    model = reference.Adder("GRU", HIDDEN, packed=False)
    state = lab.kept("state")
    wanted = {name: value.shape for name, value in model.state_dict().items()}
    # What was not asked for (a buffer, a second name of a layer) is left out.
    state = {name: state[name] for name in wanted if name in state}
    got = {name: value.shape for name, value in state.items()}
    expect.true(
        got == wanted,
        what="names and shapes of the weights",
        expected=str(sorted(wanted)),
        got=str(sorted(got)),
    )
    model.load_state_dict(state)
    n = 800
    values, marks = case.rand(n, T), torch.zeros(n, T)
    for low in (0, T // 2):
        marks[torch.arange(n), low + case.randint(0, T // 2, n)] = 1.0
    x, targets = torch.stack([values, marks], dim=2), (values * marks).sum(dim=1)
    with torch.no_grad():
        error = float((model(x, torch.full((n,), T)) - targets).pow(2).mean())
    expect.true(
        error < limit,
        what="error on fresh rows after training",
        expected=f"less than {limit:.2f}",
        got=f"{error:.3f}",
        hint=LEARNS,
    )
