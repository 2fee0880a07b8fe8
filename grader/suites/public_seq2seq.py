"""Suite for seq2seq: shifts and losses by hand, a model with known weights."""

import math

import pytest
import torch

from grader.session import expect

pytestmark = pytest.mark.exercise("seq2seq")

SHIFT = "Write the inputs over the targets. What has the decoder seen at each step?"
PADS = "Append two pads. May the loss change?"
MEAN = "One mean over all real tokens, or a mean of means?"
STATE = "Which step does the state come from that is handed over?"
STEPS = "Does the decoder start from the state that it was given?"
END = "Where does a row of the answer end, and is the end token in it?"

PAD, BOS, EOS = 0, 1, 2


def _model(student, case, V, E, H):
    """The student's model with drawn weights."""
    model = student.Seq2Seq(V, E, H)
    shapes = _shapes(V, E, H).items()
    model.load_state_dict(
        {name: case.randn(*shape, scale=0.7) for name, shape in shapes}
    )
    return model


def _shapes(V, E, H):
    """Shapes of the given layers, by name."""
    shapes = {"embed.weight": (V, E)}
    for part in ("encoder", "decoder"):
        shapes[f"{part}.weight_ih_l0"] = (3 * H, E)
        shapes[f"{part}.weight_hh_l0"] = (3 * H, H)
        shapes[f"{part}.bias_ih_l0"] = shapes[f"{part}.bias_hh_l0"] = (3 * H,)
    return shapes | {"out.weight": (V, H), "out.bias": (V,)}


@pytest.mark.points(8)
@pytest.mark.numeric
def check_shift_by_one(student):
    """The decoder is fed BOS and then each target one step late."""
    targets = torch.tensor([[5, 7, 2, 0], [4, 2, 0, 0]])

    inputs = student.shift_right(targets, 9)

    expected = torch.tensor([[9, 5, 7, 2], [9, 4, 2, 0]])
    expect.equal(inputs, expected, what="inputs", hint=SHIFT)


@pytest.mark.points(9)
@pytest.mark.numeric
def check_loss_by_hand(student):
    """The loss is the mean over the tokens that are not padding."""
    shares = [[[1.0, 1.0, 2.0], [3.0, 1.0, 4.0]], [[1.0, 5.0, 2.0], [9.0, 1.0, 1.0]]]

    loss = student.sequence_loss(
        torch.tensor(shares).log(), torch.tensor([[2, 1], [1, 0]]), PAD
    )

    # 2 of 4, 1 of 8, 5 of 8; the last token is padding.
    expected = -(math.log(1 / 2) + math.log(1 / 8) + math.log(5 / 8)) / 3
    expect.close(loss, torch.tensor(expected), what="loss", hint=MEAN)


@pytest.mark.points(7)
@pytest.mark.numeric
def check_more_padding_changes_nothing(student, case):
    """Padding at the end leaves the loss as it is, whatever its id."""
    logits, targets = case.randn(2, 3, 6), torch.tensor([[3, 4, 1], [5, 0, 2]])
    right = -torch.log_softmax(logits, -1).gather(2, targets.unsqueeze(2)).mean()
    longer = torch.cat([targets, torch.full((2, 2), 7)], dim=1)
    wider = torch.cat([logits, torch.full((2, 3, 2), -30.0)], dim=2)
    more = torch.cat([wider, 9 * case.randn(2, 2, 8)], dim=1)

    loss = student.sequence_loss(more, longer, 7)

    expect.close(loss, right, what="loss", hint=PADS)


@pytest.mark.points(8)
@pytest.mark.numeric
def check_state_ignores_padding(student, case):
    """The state comes from each sample's last real token."""
    model = _model(student, case, 9, 4, 5)
    source = torch.tensor([[3, 4, 0, 0], [5, 6, 7, 8]])
    lengths = torch.tensor([2, 4])

    state = model.encode(source, lengths)
    other = model.encode(source.masked_fill(source == PAD, 8), lengths)
    alone = model.encode(source[:1, :2], lengths[:1])

    expect.tensor(state, (1, 2, 5), what="state", hint=STATE)
    expect.close(other, state, what="state with other padding", hint=STATE)
    expect.close(alone, state[:, :1], what="state of one sample alone", hint=STATE)
    expect.differs(state[:, 0], state[:, 1], what="states of two samples", hint=STATE)


@pytest.mark.points(8)
@pytest.mark.numeric
def check_decoder_goes_step_by_step(student, case):
    """Two steps at once give the same as one after the other."""
    model = _model(student, case, 9, 4, 5)
    inputs, start = case.randint(0, 9, 3, 2), case.randn(1, 3, 5)

    logits, end = expect.pair(model.decode(inputs, start), what="result")
    one, middle = expect.pair(model.decode(inputs[:, :1], start), what="result")
    two, last = expect.pair(model.decode(inputs[:, 1:], middle), what="result")

    expect.tensor(logits, (3, 2, 9), what="logits")
    expect.close(torch.cat([one, two], dim=1), logits, what="logits", hint=STEPS)
    expect.close(last, end, what="state", hint=STEPS)
    expect.differs(start, end, what="states before and after")


@pytest.mark.points(6)
@pytest.mark.numeric
def check_greedy_follows_a_chain(student):
    """Each choice is fed back until EOS comes, or until there is no room."""
    V = 7
    model = student.Seq2Seq(V, V, V)
    weights = {n: torch.zeros(shape) for n, shape in _shapes(V, V, V).items()}
    # The decoder's state becomes its last input, whatever it was before ...
    weights["embed.weight"] = 5 * torch.eye(V)
    weights["decoder.weight_ih_l0"][2 * V :] = torch.eye(V)
    weights["decoder.bias_ih_l0"][V : 2 * V] = -30.0
    # ... and each input has one successor: 1 -> 4 -> 3 -> 6 -> 2 -> 5 -> 0 -> 0.
    weights["out.weight"][[4, 3, 6, 2, 5, 0, 0], [1, 4, 3, 6, 2, 5, 0]] = 9.0
    model.load_state_dict(weights)
    source, lengths = torch.tensor([[3, 0], [4, 5]]), torch.tensor([1, 2])

    for bos, max_len, row in (
        (BOS, 8, [4, 3, 6, EOS]),
        (BOS, 2, [4, 3]),
        (BOS, 1, [4]),
        (5, 3, [0] * 3),
    ):
        rows = model.greedy(source, lengths, bos, EOS, max_len)
        expect.length(rows, 2, what="rows")
        for got in rows:
            expect.length(got, len(row), what="a row", hint=END)
            expect.equal(list(got), row, what="a row", hint=END)
