"""Suite for packed_lstm: each row must come out as if it had been run alone."""

import pytest
import torch
from torch import nn

from grader.session import expect

pytestmark = pytest.mark.exercise("packed_lstm")

RETURNS = "The task returns (output, (h_n, c_n)). Print all three shapes."
ALONE = "Run one short row alone, without its padding. At which step does it differ?"
STATE = "Which step does h_n belong to in a short row, and are the rows in their order?"
PADDING = "Put 1000 into the padding. What moves that should not?"
CALLER = "The caller still holds x. What does it look like afterwards?"
LENGTH = "Make every row shorter than the padding. How long is your output then?"
LAST = "Print h_n.shape for batch 3 and 2 layers. What does each of its axes count?"
BOTH = "How many last states does the last layer have here, and where are they in h_n?"


def _lstm(worker, case, D, H, L=1):
    """(a handle of an LSTM, maker of an LSTM of ours) with the same drawn weights."""

    def twin():
        ours = nn.LSTM(D, H, num_layers=L, batch_first=True)
        ours.load_state_dict(weights)
        return ours

    forms = case.once(
        f"forms of {D}, {H}, {L}",
        lambda: [(n, p.shape) for n, p in nn.LSTM(D, H, L).state_dict().items()],
    )
    weights = {name: case.randn(*shape, scale=0.5) for name, shape in forms}
    theirs = worker.torch.nn.LSTM(D, H, num_layers=L, batch_first=True)
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
    """(output, h_n, c_n) of one call.

    A flat triple, or a state that stands first, is put right here: only
    check_shapes_and_order takes points for it.
    """
    result = student.encode_packed(lstm, x, lengths)
    if isinstance(result, list | tuple) and len(result) == 2:
        output, state = result
        if isinstance(output, list | tuple):
            output, state = state, output
        result = (output, *expect.pair(state, what="(h_n, c_n)", hint=RETURNS))
    return expect.sequence(result, 3, what="output, h_n and c_n", hint=RETURNS)


@pytest.mark.points(4)
@pytest.mark.numeric
def check_last_hidden_of_one_direction(student, case):
    """With one direction, last_hidden is the last layer's state of every row."""
    L, B, H = case.sizes(L=(2, 3), B=(4, 6), H=(7, 9))
    h_n, one_layer = case.randn(L, B, H), case.randn(1, B, H)

    last = student.last_hidden(h_n)
    only = student.last_hidden(one_layer, False)

    expect.close(last, h_n[L - 1], what=f"last_hidden for {L} layers", hint=LAST)
    expect.close(only, one_layer[0], what="last_hidden for one layer", hint=LAST)


@pytest.mark.points(5)
@pytest.mark.numeric
def check_last_hidden_of_two_directions(student, case):
    """With two directions, last_hidden is the forward half, then the backward half."""
    B, H = case.sizes(B=(3, 5), H=(6, 9))
    forward, backward = case.randn(B, H), case.randn(B, H)

    last = student.last_hidden(torch.stack([forward, backward]), True)

    expect.tensor(last, (B, 2 * H), what="last_hidden", hint=BOTH)
    expect.close(last[:, :H], forward, what="first half of last_hidden", hint=BOTH)
    expect.close(last[:, H:], backward, what="second half of last_hidden", hint=BOTH)


@pytest.mark.points(4)
@pytest.mark.property
def check_shapes_and_order(student, worker, case):
    """The result is (output, (h_n, c_n)) of shapes (B, T, H), (L, B, H), (L, B, H)."""
    B, T, D, H = case.sizes(B=(3, 5), T=(6, 7), D=(4, 7), H=(8, 12))
    lstm, _ = _lstm(worker, case, D, H, L=2)
    lengths = torch.tensor([T, *([2] * (B - 1))])

    result = student.encode_packed(lstm, case.randn(B, T, D), lengths)

    output, state = expect.pair(result, what="result", hint=RETURNS)
    h_n, c_n = expect.pair(state, what="second part of the result", hint=RETURNS)
    expect.tensor(output, (B, T, H), torch.float32, what="output", hint=RETURNS)
    expect.tensor(h_n, (2, B, H), torch.float32, what="h_n", hint=RETURNS)
    expect.tensor(c_n, (2, B, H), torch.float32, what="c_n", hint=RETURNS)


@pytest.mark.points(9)
@pytest.mark.numeric
def check_sorted_rows_run_as_if_alone(student, worker, case):
    """Rows sorted by length, longest first, equal the rows run alone."""
    B, T, D, H = case.sizes(B=(3, 5), T=(8, 9), D=(4, 7), H=(8, 12))
    lstm, twin = _lstm(worker, case, D, H)
    x, lengths = case.randn(B, T, D), case.lengths(B, 2, T).sort(descending=True)[0]
    lengths[0] = T

    output, h_n, c_n = _encode(student, lstm, x, lengths)

    wanted = case.once("alone", lambda: _alone(twin(), x, lengths))
    expect.close(output, wanted[0], what="output", hint=ALONE)
    expect.close(h_n, wanted[1], what="h_n", hint=STATE)
    expect.close(c_n, wanted[2], what="c_n", hint=STATE)


@pytest.mark.points(9)
@pytest.mark.numeric
def check_rows_in_any_order(student, worker, case):
    """Rows in any order of lengths equal the rows run alone, in the order given."""
    B, T, D, H = case.sizes(B=(4, 6), T=(10, 11), D=(2, 3), H=(8, 12))
    lstm, twin = _lstm(worker, case, D, H)
    x, lengths = case.randn(B, T, D), case.lengths(B, 2, T - 1)
    lengths[-1] = T

    output, h_n, c_n = _encode(student, lstm, x, lengths)

    wanted = case.once("alone", lambda: _alone(twin(), x, lengths))
    expect.close(output, wanted[0], what="output", hint=ALONE)
    expect.close(h_n, wanted[1], what="h_n", hint=STATE)
    expect.close(c_n, wanted[2], what="c_n", hint=STATE)


@pytest.mark.points(7)
@pytest.mark.numeric
def check_output_is_as_long_as_the_batch(student, worker, case):
    """Output is T long, and 0 past each length, also when every row is shorter."""
    B, T, D, H = case.sizes(B=(3, 5), T=(12, 13), D=(4, 6), H=(8, 11))
    lstm, twin = _lstm(worker, case, D, H)
    x, lengths = case.randn(B, T, D), case.lengths(B, 2, T - 2)

    output, _, _ = _encode(student, lstm, x, lengths)

    expect.tensor(output, (B, T, H), what="output", hint=LENGTH)
    past = torch.arange(T) >= lengths[:, None]
    expect.zero_where(output, past[..., None], what="output", hint=LENGTH)
    first = case.once("first", lambda: twin()(x[:, :1])[0])
    expect.close(output[:, :1], first, what="output at the first step", hint=ALONE)


@pytest.mark.points(8)
@pytest.mark.property
def check_padding_is_never_read(student, worker, case):
    """What stands in the padding, be it 1000 or NaN, changes nothing."""
    B, T, D, H = case.sizes(B=(3, 5), T=(14, 15), D=(4, 7), H=(8, 12))
    lstm, _ = _lstm(worker, case, D, H, L=2)
    x, lengths = case.randn(B, T, D), case.lengths(B, 2, T - 1)
    past = (torch.arange(T) >= lengths[:, None])[..., None]

    results = [
        _encode(student, lstm, x.masked_fill(past, filling), lengths)
        for filling in (0.0, 1000.0, float("nan"))
    ]

    for name, quiet, loud, broken in zip(
        ("output", "h_n", "c_n"), *results, strict=True
    ):
        expect.tensor(quiet, what=name, hint=RETURNS)
        expect.finite(quiet, what=name)
        expect.close(loud, quiet, what=f"{name} with 1000 in it", hint=PADDING)
        expect.close(broken, quiet, what=f"{name} with NaN in it", hint=PADDING)
    expect.inputs_unchanged(student, what="x and lengths", hint=CALLER)
