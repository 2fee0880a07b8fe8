"""Hidden suite for truncated_bptt: whole trajectories, kinds of state, clipping."""

from functools import partial

import pytest
import torch
from torch import nn

from grader.session import expect

pytestmark = pytest.mark.exercise("truncated_bptt")

STEPS = "Which gradients does each step() see, and how many steps does a call take?"
KINDS = "Print the type of hidden for an LSTM, a GRU and a stack of both."
CUT = (
    "Train on chunk 2 alone, from the same numbers. Is the gradient the same as yours?"
)
CLIP = "How long is the gradient of all parameters together when step() reads it?"
ZERO = "Is a limit of 0 the same as no limit in your code?"
TARGETS = "Along which axis do you cut the targets, and how many axes may they have?"
NESTED = "What does your function do with a tuple inside a tuple? And with None?"
CALLER = "What do the tensors hold that the caller still has?"
RANGE = "Which chunk lengths make sense? Who says so when one does not?"

F64 = torch.float64
CLOSE = {"rtol": 1e-5, "atol": 1e-6}


class _Net(nn.Module):
    """Our twin of the kit's Net."""

    def __init__(self, kind, D, H, V, dtype):
        super().__init__()
        self.rnn = getattr(nn, kind)(D, H, batch_first=True, dtype=dtype)
        self.head = nn.Linear(H, V, dtype=dtype)

    def forward(self, x, hidden):
        output, hidden = self.rnn(x, hidden)
        return self.head(output), hidden


class _Stack(nn.Module):
    """Our twin of the kit's Stack."""

    def __init__(self, D, H, V, dtype):
        super().__init__()
        self.low = nn.GRU(D, H, batch_first=True, dtype=dtype)
        self.high = nn.LSTM(H, V, batch_first=True, dtype=dtype)
        self.drop = nn.Dropout(1.0)

    def forward(self, x, hidden):
        low, high = (None, None) if hidden is None else hidden
        output, low = self.low(x, low)
        output, high = self.high(output, high)
        return output + self.drop(output), (low, high)


def _net(worker, case, *sizes, kind="LSTM", dtype=F64):
    """(handle, maker of our twin) of a model with drawn weights."""

    def make():
        return _Stack(*sizes, dtype) if kind == "Stack" else _Net(kind, *sizes, dtype)

    def twin():
        ours = make()
        ours.load_state_dict(state)
        return ours

    forms = case.once(
        f"forms of {kind}, {sizes}",
        lambda: [(name, p.shape) for name, p in make().state_dict().items()],
    )
    state = {name: case.randn(*shape, dtype=dtype, scale=0.5) for name, shape in forms}
    maker = worker.kit.Stack if kind == "Stack" else partial(worker.kit.Net, kind)
    theirs = maker(*sizes, dtype)
    theirs.load_state_dict(state)
    return theirs, twin


def _sgd(model, **kinds):
    return torch.optim.SGD(model.parameters(), lr=0.5, **kinds)


def _follow(reference, twin, batches, max_norm=None, criterion=None, optimizer=_sgd):
    """[(losses, parameters afterwards)] of the reference, batch by batch."""
    ours = twin()
    steps, rows = optimizer(ours), []
    for x, y, n in batches:
        losses = reference.train_truncated_bptt(
            ours, x, y, criterion or nn.MSELoss(), steps, n, max_norm
        )
        rows.append((losses, {k: v.clone() for k, v in ours.state_dict().items()}))
    return rows


def _expect_trained(result, model, wanted, hint):
    """``result`` and the model's parameters are a row of ``_follow``."""
    losses, parameters = wanted
    expect.close(result, losses, what="losses", hint=hint, **CLOSE)
    state = model.state_dict()
    for name, value in parameters.items():
        what = f"{name} after training"
        expect.close(state.get(name), value, what=what, hint=hint, **CLOSE)


@pytest.mark.points(13)
@pytest.mark.numeric
def check_trajectory(student, worker, case, reference):
    """Losses and parameters follow the reference over batches of many sizes."""
    D, H, V = case.sizes(D=(3, 4), H=(7, 9), V=(2, 5))
    model, twin = _net(worker, case, D, H, V)
    # A criterion that tells its two arguments apart, where their shapes do not.
    loss, adam = worker.torch.nn.BCEWithLogitsLoss(), worker.kit.adam(model, lr=0.02)
    sizes = ((8, 5, 2), (1, 4, 4), (3, 1, 1), (9, 20, 8), (8, 5, 3))
    batches = [
        (case.randn(B, T, D, dtype=F64), case.rand(B, T, V, dtype=F64), n)
        for B, T, n in sizes
    ]

    def our_adam(model):
        return torch.optim.Adam(model.parameters(), lr=0.02)

    kinds = {"criterion": nn.BCEWithLogitsLoss(), "optimizer": our_adam}
    wanted = case.once("all", lambda: _follow(reference, twin, batches, **kinds))
    for (x, y, n), row in zip(batches, wanted, strict=True):
        result = student.train_truncated_bptt(model, x, y, loss, adam, n)

        _expect_trained(result, model, row, STEPS)
        expect.inputs_unchanged(student, what="inputs and targets", hint=CALLER)


@pytest.mark.points(8)
@pytest.mark.numeric
def check_kinds_of_state(student, worker, case, reference):
    """A state may be one tensor or tuples in tuples."""
    B, D, H, V = case.sizes(B=(2, 3), D=(4, 6), H=(7, 9), V=(5, 8))
    x, y = case.randn(B, 6, D, dtype=F64), case.randn(B, 6, V, dtype=F64)
    mse = worker.torch.nn.MSELoss()
    for kind in ("GRU", "Stack"):
        model, twin = _net(worker, case, D, H, V, kind=kind)
        make = partial(_follow, reference, twin, [(x, y, 2)])
        (wanted,) = case.once(kind, make)

        theirs = worker.kit.sgd(model, lr=0.5)
        result = student.train_truncated_bptt(model, x, y, mse, theirs, 2)

        _expect_trained(result, model, wanted, KINDS)


@pytest.mark.points(8)
@pytest.mark.numeric
def check_graph_is_cut(student, worker, case):
    """No chunk's gradient reaches back into an earlier chunk."""
    B, n, D = case.sizes(B=(2, 3), n=(4, 5), D=(6, 7))
    model = worker.kit.Leaky(D, F64)
    sgd, mse = worker.kit.sgd(model, lr=0.3), worker.torch.nn.MSELoss()
    x, y = case.randn(B, 3 * n, D, dtype=F64), case.randn(B, 3 * n, D, dtype=F64)

    result = student.train_truncated_bptt(model, x, y, mse, sgd, n)

    drift, state, losses = torch.zeros(D, dtype=F64), torch.zeros(B, D, dtype=F64), []
    for xs, ys in zip(x.split(n, 1), y.split(n, 1), strict=True):
        leaf, state, outputs = drift.requires_grad_(), state.detach(), []
        for step in xs.unbind(1):
            state = 0.8 * state + leaf + step
            outputs.append(state)
        loss = (torch.stack(outputs, 1) - ys).pow(2).mean()
        losses.append(loss.item())
        drift = (leaf - 0.3 * torch.autograd.grad(loss, leaf)[0]).detach()
    expect.close(result, losses, what="losses", hint=CUT, **CLOSE)
    got = model.state_dict().get("drift")
    expect.close(got, drift, what="parameter after training", hint=CUT, **CLOSE)


@pytest.mark.points(9)
@pytest.mark.numeric
def check_clipping(student, worker, case, reference):
    """A long gradient is cut to max_norm before its step, a short one is left."""
    B, n, D, H, V = case.sizes(B=(2, 3), n=(4, 5), D=(3, 6), H=(7, 9), V=(2, 5))
    x, y = case.randn(B, 2 * n, D, dtype=F64), case.randn(B, 2 * n, V, dtype=F64)
    mse = worker.torch.nn.MSELoss()
    for limit in (0.1, 1000.0):
        model, twin = _net(worker, case, D, H, V)
        heavy = partial(_sgd, momentum=0.9)
        make = partial(_follow, reference, twin, [(x, y, n)], limit, optimizer=heavy)
        (wanted,) = case.once(f"limit {limit}", make)

        theirs = worker.kit.sgd_in_groups(model, lr=0.5, momentum=0.9)
        result = student.train_truncated_bptt(model, x, y, mse, theirs, n, limit)

        _expect_trained(result, model, wanted, CLIP)


@pytest.mark.points(2)
@pytest.mark.numeric
def check_limit_of_zero(student, worker, case):
    """With max_norm=0 the losses are right and no parameter moves."""
    B, n, D, H, V = case.sizes(B=(2, 3), n=(4, 5), D=(3, 6), H=(7, 9), V=(2, 5))
    model, twin = _net(worker, case, D, H, V)
    x, y = case.randn(B, 2 * n, D, dtype=F64), case.randn(B, 2 * n, V, dtype=F64)
    mse, sgd = worker.torch.nn.MSELoss(), worker.kit.sgd(model, lr=0.5)

    result = student.train_truncated_bptt(model, x, y, mse, sgd, n, max_norm=0.0)

    def unmoved():
        ours = twin()
        errors = (ours(x, None)[0] - y).pow(2).reshape(B, 2, n, V)
        return errors.mean((0, 2, 3)).tolist(), ours.state_dict()

    wanted = case.once("unmoved", unmoved)
    _expect_trained(result, model, wanted, ZERO)


@pytest.mark.points(4)
@pytest.mark.numeric
def check_class_targets(student, worker, case, reference):
    """Targets of shape (B, T), one class a step, are cut along time as well."""
    B, D, H, V = case.sizes(B=(2, 3), D=(4, 6), H=(7, 9), V=(5, 8))
    model, twin = _net(worker, case, D, H, V)
    x, y = case.randn(B, 6, D, dtype=F64), case.randint(0, V, B, 6)
    loss, theirs = worker.kit.TokenLoss(), worker.kit.sgd(model, lr=0.5)

    def our_loss(output, targets):
        return nn.functional.cross_entropy(output.flatten(0, 1), targets.flatten())

    make = partial(_follow, reference, twin, [(x, y, 2)], criterion=our_loss)
    (wanted,) = case.once("reference", make)

    result = student.train_truncated_bptt(model, x, y, loss, theirs, 2)

    _expect_trained(result, model, wanted, TARGETS)


@pytest.mark.points(5)
@pytest.mark.numeric
def check_detach_nested_states(student, case):
    """detach_hidden reaches every tensor in tuples of tuples, and None stays None."""
    B, H = case.sizes(B=(2, 4), H=(60, 70))
    first, second, third = (case.randn(1, B, H, requires_grad=True) for _ in range(3))
    numbers = [part.detach().clone() for part in (first, second, third)]

    nothing = student.detach_hidden(None)
    result = student.detach_hidden((first, (second, (third,), None)))

    expect.equal(nothing, None, what="detach_hidden(None)", hint=NESTED)
    one, rest = expect.pair(result, what="result", hint=NESTED)
    two, last, none = expect.sequence(rest, 3, what="inner tuple", hint=NESTED)
    expect.equal(none, None, what="inner tuple", hint=NESTED)
    (three,) = expect.sequence(last, 1, what="innermost tuple", hint=NESTED)
    for part, wanted in zip((one, two, three), numbers, strict=True):
        expect.close(part, wanted, what="a tensor of the state", hint=NESTED)
        expect.true(not part.requires_grad, what="cut from the graph", hint=NESTED)


@pytest.mark.points(5)
@pytest.mark.errors
def check_impossible_chunks(student, worker, case, reference):
    """A chunk_len below 1 raises ValueError, a chunk of one step is fine."""
    B, T, D, H, V = case.sizes(B=(2, 3), T=(4, 5), D=(3, 6), H=(7, 9), V=(2, 5))
    model, twin = _net(worker, case, D, H, V)
    x, y = case.randn(B, T, D, dtype=F64), case.randn(B, T, V, dtype=F64)
    mse, theirs = worker.torch.nn.MSELoss(), worker.kit.sgd(model, lr=0.5)
    make = partial(_follow, reference, twin, [(x, y, 1)])
    (wanted,) = case.once("reference", make)

    result = student.train_truncated_bptt(model, x, y, mse, theirs, 1)

    _expect_trained(result, model, wanted, RANGE)
    for chunk_len in (0, -1):
        with expect.raises(ValueError, what=f"chunk_len={chunk_len}", hint=RANGE):
            student.train_truncated_bptt(model, x, y, mse, theirs, chunk_len)
