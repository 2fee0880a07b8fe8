"""Hidden suite for packed_lstm: layers, directions, sizes, lengths, gradients."""

import pytest
import torch
from torch import nn

from grader.session import expect

pytestmark = pytest.mark.exercise("packed_lstm")

RETURNS = "The task returns (output, (h_n, c_n)). Print all three shapes."
ALONE = "Run one row of each kind alone, in both directions. Where do you differ?"
SIZES = "Does your answer depend on B, on T or on earlier calls? Try a batch of one."
LAST = "List h_n row by row for 2 layers and 2 directions. What does each row hold?"
KINDS = "Which kinds of lengths does the docstring promise, and where does yours fail?"
GRADIENT = (
    "Compare x.grad with that of rows run alone. Is a step missing, or one too many?"
)
DTYPE = "Which dtype do the results have when x and the weights are float64?"
RANGE = "Which lengths can a row of a batch with T steps have? Who looks at them first?"
ZERO = (
    "Here another library noticed, not you. Which exception does the docstring promise?"
)


def _lstm(worker, case, D, H, L=1, both=False, dtype=torch.float32):
    """(a handle of an LSTM, maker of an LSTM of ours) with the same drawn weights."""
    kinds = {"batch_first": True, "bidirectional": both, "dtype": dtype}

    def make():
        return nn.LSTM(D, H, num_layers=L, **kinds)

    def twin():
        ours = make()
        ours.load_state_dict(weights)
        return ours

    forms = case.once(
        f"forms of {D}, {H}, {L}, {both}",
        lambda: [(name, p.shape) for name, p in make().state_dict().items()],
    )
    scale = 1.5 / H**0.5
    weights = {
        name: case.randn(*shape, scale=scale, dtype=dtype) for name, shape in forms
    }
    theirs = worker.torch.nn.LSTM(D, H, num_layers=L, **kinds)
    theirs.load_state_dict(weights)
    return theirs, twin


def _alone(ours, x, lengths):
    """(output, h_n, c_n) of each row of ``x`` run without its padding."""
    outputs, h_n, c_n = [], [], []
    for row, n in zip(x, lengths.tolist(), strict=True):
        output, (h, c) = ours(row[None, :n])
        outputs.append(nn.functional.pad(output, (0, 0, 0, len(row) - n)))
        h_n.append(h)
        c_n.append(c)
    return torch.cat(outputs), torch.cat(h_n, 1), torch.cat(c_n, 1)


def _encode(student, lstm, x, lengths):
    """(output, h_n, c_n) of one call, put in order as in the public suite."""
    result = student.encode_packed(lstm, x, lengths)
    if isinstance(result, list | tuple) and len(result) == 2:
        output, state = result
        if isinstance(output, list | tuple):
            output, state = state, output
        result = (output, *expect.pair(state, what="(h_n, c_n)", hint=RETURNS))
    return expect.sequence(result, 3, what="output, h_n and c_n", hint=RETURNS)


def _expect_alone(got, wanted, hint):
    names = ("output", "h_n", "c_n")
    for name, actual, expected in zip(names, got, wanted, strict=True):
        expect.close(actual, expected, what=name, hint=hint)


@pytest.mark.points(12)
@pytest.mark.numeric
def check_layers_and_directions(student, worker, case):
    """Two directions and several layers equal the rows run alone."""
    L, B, T, D, H = case.sizes(L=(2, 3), B=(6, 7), T=(7, 8), D=(4, 6), H=(9, 12))
    x, lengths = case.randn(B, T, D), case.lengths(B, 2, T - 1)
    lengths[-1], lengths[1] = 2, T
    for layers in (1, L):
        lstm, twin = _lstm(worker, case, D, H, layers, both=True)

        got = _encode(student, lstm, x, lengths)

        wanted = case.once(f"{layers}", lambda twin=twin: _alone(twin(), x, lengths))
        _expect_alone(got, wanted, ALONE)


@pytest.mark.points(11)
@pytest.mark.numeric
def check_any_size_any_time(student, worker, case):
    """Small and large batches, with and without a graph, equal rows run alone."""
    D, H = case.sizes(D=(3, 5), H=(6, 9))
    lstm, twin = _lstm(worker, case, D, H)
    wide, wide_twin = _lstm(worker, case, D, 40)
    sizes = [(1, 1, False), (3, 3, False), (1, 6, False), (17, 21, True), (4, 1, True)]
    for call, (B, T, large) in enumerate([*sizes, (3, 3, False)]):
        x, lengths = case.randn(B, T, D), case.lengths(B, 1, T)
        lengths[(call + 1) % B] = 1
        lengths[call % B] = T
        if call in (2, 5):
            lengths[:] = T - call // 2  # all alike, and none as long as the batch
        used, reference = (wide, wide_twin) if large else (lstm, twin)
        x[call % B, -1] = 0.0  # an input like any other: only lengths tell padding

        with torch.set_grad_enabled(call % 2 == 1):
            got = _encode(student, used, x, lengths)

        make = lambda m=reference, x=x, n=lengths: _alone(m(), x, n)  # noqa: E731
        _expect_alone(got, case.once(f"call {call}", make), SIZES)


@pytest.mark.points(7)
@pytest.mark.numeric
def check_last_hidden_of_deep_stacks(student, case):
    """last_hidden finds the last layer in any stack and keeps the graph."""
    L, B, H = case.sizes(L=(3, 4), B=(5, 6), H=(7, 30))
    stacks = ((2 * L, B, True), (L, B, False), (2 * L, B, False), (2 * L, 1, True))
    stacks = (*stacks, (L, 1, False))
    for rows, batch, both in stacks:
        h_n = case.randn(rows, batch, H, requires_grad=True)
        taken = [rows - 2, rows - 1] if both else [rows - 1]

        last = student.last_hidden(h_n, bidirectional=both)

        expect.close(
            last, torch.cat([h_n[i] for i in taken], 1), what="last", hint=LAST
        )
        expect.inputs_unchanged(student, what="h_n", hint=LAST)
        expect.true(last.requires_grad, what="last.requires_grad", hint=LAST)
        factor = case.randn(batch, H * len(taken))
        (grad,) = torch.autograd.grad((last * factor).sum(), h_n)
        wanted = torch.zeros(rows, batch, H)
        for i, part in zip(taken, factor.split(H, 1), strict=True):
            wanted[i] = part
        expect.close(grad, wanted, what="h_n.grad", hint=LAST)


@pytest.mark.points(6)
@pytest.mark.numeric
def check_kinds_of_lengths(student, worker, case):
    """Lengths may be a list, an int32 or an int64 tensor."""
    B, T, D, H = case.sizes(B=(3, 4), T=(4, 5), D=(8, 9), H=(10, 12))
    lstm, twin = _lstm(worker, case, D, H)
    x, lengths = case.randn(B, T, D), case.lengths(B, 2, T - 1)
    lengths[0], lengths[-1] = 2, T  # one as long as the batch, and never sorted
    wanted = case.once("alone", lambda: _alone(twin(), x, lengths))
    for kind in (lengths.tolist(), lengths.int(), lengths):
        got = _encode(student, lstm, x, kind)

        _expect_alone(got, wanted, KINDS)
    got = _encode(student, lstm, x, [T] * B)  # no padding at all
    output, state = case.once("whole", lambda: twin()(x))
    _expect_alone(got, (output, *state), KINDS)


@pytest.mark.points(8)
@pytest.mark.numeric
def check_gradients(student, worker, case):
    """Gradients are those of rows run alone, and 0 in the padding, NaN or not."""
    B, T, D, H = case.sizes(B=(6, 7), T=(5, 6), D=(2, 8), H=(9, 12))
    lengths = case.lengths(B, 2, T - 1)
    lengths[-1] = T
    past = (torch.arange(T) >= lengths[:, None])[..., None]
    for dirs in (2, 1):
        lstm, twin = _lstm(worker, case, D, H, both=dirs == 2)
        x = case.randn(B, T, D).masked_fill(past, float("nan")).requires_grad_()
        shapes = (B, T, dirs * H), (dirs, B, H), (dirs, B, H)
        factors = [case.randn(*shape) for shape in shapes]

        got = _encode(student, lstm, x, lengths)

        def by_rows(twin=twin, x=x, factors=factors):
            ours, again = twin(), x.detach().clone().requires_grad_()
            wanted = _alone(ours, again, lengths)
            pairs = zip(factors, wanted, strict=True)
            sum((f * part).sum() for f, part in pairs).backward()
            grads = {name: p.grad for name, p in ours.named_parameters()}
            return [part.detach() for part in wanted], again.grad, grads

        wanted, x_grad, wanted_grads = case.once(f"by rows, {dirs}", by_rows)
        _expect_alone(got, wanted, ALONE)
        for name, part in zip(("output", "h_n", "c_n"), got, strict=True):
            expect.true(part.requires_grad, what=f"{name}.requires_grad", hint=GRADIENT)
        sum((f * part).sum() for f, part in zip(factors, got, strict=True)).backward()
        expect.zero_where(x.grad, past, what="x.grad in the padding", hint=GRADIENT)
        expect.close(x.grad, x_grad, what="x.grad", hint=GRADIENT)
        grads = lstm.grads()
        for name, wanted in wanted_grads.items():
            expect.close(grads.get(name), wanted, what=f"{name}.grad", hint=GRADIENT)


@pytest.mark.points(4)
@pytest.mark.numeric
def check_float64(student, worker, case):
    """A float64 LSTM gives float64 results."""
    # No other check has a T of these: what is kept by shape decides nothing here.
    B, T, D, H = case.sizes(B=(6, 7), T=(16, 18), D=(2, 5), H=(8, 12))
    lstm, twin = _lstm(worker, case, D, H, both=True, dtype=torch.float64)
    x, lengths = case.randn(B, T, D, dtype=torch.float64), case.lengths(B, 2, T - 1)

    output, h_n, c_n = _encode(student, lstm, x, lengths)
    last = student.last_hidden(expect.tensor(h_n, (2, B, H), what="h_n"), True)

    expect.tensor(output, dtype=torch.float64, what="output", hint=DTYPE)
    expect.tensor(last, dtype=torch.float64, what="last_hidden", hint=DTYPE)
    wanted = case.once("alone", lambda: _alone(twin(), x, lengths))
    _expect_alone((output, h_n, c_n), wanted, DTYPE)


@pytest.mark.points(6)
@pytest.mark.errors
def check_impossible_lengths(student, worker, case):
    """A length below 1 or above T raises ValueError; 1 and T are fine."""
    B, T, D, H = case.sizes(B=(5, 6), T=(4, 4), D=(2, 8), H=(9, 12))
    lstm, twin = _lstm(worker, case, D, H)
    x, lengths = case.randn(B, T, D), case.lengths(B, 2, T - 1)
    lengths[0], lengths[1] = 1, T

    got = _encode(student, lstm, x, lengths)
    wanted = case.once("alone", lambda: _alone(twin(), x, lengths))
    _expect_alone(got, wanted, RANGE)

    where = case.integer(0, B - 1)
    for bad, words in (
        (0, "a length of 0"),
        (-1, "length -1"),
        (T + 1, "length T + 1"),
    ):
        wrong = lengths.clone()
        wrong[where] = bad
        other = {RuntimeError: ZERO, IndexError: ZERO}
        for given in (wrong, wrong.tolist()):
            with expect.raises(ValueError, what=words, hint=RANGE, other=other):
                student.encode_packed(lstm, x, given)
