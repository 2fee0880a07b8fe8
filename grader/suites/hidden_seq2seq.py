"""Hidden suite for seq2seq: drawn weights against the reference."""

import pytest
import torch

from grader.session import expect

pytestmark = pytest.mark.exercise("seq2seq")

PAD, BOS, EOS = 0, 1, 2
SHIFT = "At step t the decoder may have seen the targets before t, and no other."
FUTURE = "Change a late target. May an early logit move?"
IDS = "A list of lists of ids: of which type is one of its entries?"
CALLER = "What do the tensors hold that the caller still has?"
GRADIENT = "Which layers have a gradient after backward?"
FREE = "What is the decoder fed at the second step of greedy decoding?"
MARKS = "Which ids begin and end a row: yours, or those that were given?"
END = "What may follow the first EOS of a row, and how long is it at most?"
OWN_LENGTH = "Do all rows end at their own length?"
MEAN = "Is a token of a short row worth more than one of a long row?"


def _model(student, reference, case, V, E, H):
    """The student's model and the reference's with the same drawn weights."""
    ours = reference.Seq2Seq(V, E, H)
    weights = {
        name: case.randn(*value.shape, scale=0.7)
        for name, value in ours.state_dict().items()
    }
    ours.load_state_dict(weights)
    model = student.Seq2Seq(V, E, H)
    model.load_state_dict(weights)
    return model, ours


def _batch(case, V, B, S, T):
    lengths = case.lengths(B, 1, S - 1)
    source, targets = case.randint(3, V, B, S), case.randint(3, V, B, T)
    source[torch.arange(S) >= lengths[:, None]] = PAD
    return source, lengths, targets


@pytest.mark.points(6)
@pytest.mark.numeric
def check_shift_of_drawn_targets(student, case, reference):
    """Targets of any length are shifted, one step long too."""
    for T in (1, 6):
        targets = case.randint(3, 9, 3, T)
        targets[:, : T - 1] = BOS  # an id like any other, also where it stands first
        inputs = student.shift_right(targets, BOS)
        expect.tensor(inputs, (3, T), torch.int64, what="inputs", hint=SHIFT)
        expected = reference.shift_right(targets, BOS)
        expect.equal(inputs, expected, what="inputs", hint=SHIFT)


@pytest.mark.points(8)
@pytest.mark.numeric
def check_loss_of_uneven_rows(student, case, reference):
    """Every real token counts the same, and padding gets no gradient."""
    B, T, V = case.sizes(B=(3, 4), T=(5, 6), V=(7, 9))
    targets = case.randint(1, V, B, T)
    targets[torch.arange(T) >= case.lengths(B, 1, T - 1)[:, None]] = PAD
    # In float32 the first would be off by 1e-8; of the second the exponentials
    # overflow and some shares are 0.
    plain = (torch.float64, 1.0, {"atol": 1e-12, "rtol": 1e-11})
    for dtype, scale, tolerance in (plain, (torch.float32, 60.0, {})):
        logits = case.randn(B, T, V, dtype=dtype, scale=scale, requires_grad=True)
        ours = reference.sequence_loss(logits, targets, PAD)
        (expected,) = torch.autograd.grad(ours, logits)

        loss = student.sequence_loss(logits, targets, PAD)
        expect.tensor(loss, (), what="loss")
        expect.close(loss, ours, what="loss", hint=MEAN, **tolerance)
        (grad,) = torch.autograd.grad(loss, logits)

        expect.close(grad, expected, what="gradient of the logits", hint=MEAN)


@pytest.mark.points(8)
@pytest.mark.numeric
def check_states_of_drawn_sources(student, case, reference):
    """The encoder's state is right for lengths in any order."""
    B, S, V, E, H = case.sizes(B=(3, 4), S=(5, 6), V=(11, 12), E=(7, 8), H=(9, 10))
    model, ours = _model(student, reference, case, V, E, H)
    source, lengths, _ = _batch(case, V, B, S, 2)

    # Then one alone, and other rows that are all of one length.
    alike = (source.flip(0), torch.full_like(lengths, S - 2))
    for args in ((source, lengths), (source[:1], lengths[:1]), alike):
        state = model.encode(*args)

        expected = ours.encode(*args).detach()
        expect.close(state, expected, what="state", hint=OWN_LENGTH)


@pytest.mark.points(12)
@pytest.mark.numeric
def check_teacher_forcing(student, case, reference):
    """Logits under teacher forcing are right, and see no later target."""
    B, S, T, V, E, H = case.sizes(
        B=(3, 4), S=(5, 6), T=(7, 8), V=(13, 14), E=(9, 10), H=(11, 12)
    )
    model, ours = _model(student, reference, case, V, E, H)
    source, lengths, targets = _batch(case, V, B, S, T)
    changed = targets.clone()
    changed[:, T // 2] = (changed[:, T // 2] - 2) % (V - 3) + 3

    bos = V - 2  # any id may begin
    logits = model(source, lengths, targets, bos)
    model.eval()  # its targets are fed all the same
    later = model(source, lengths, changed, bos)

    expected = ours(source, lengths, targets, bos).detach()
    expect.close(logits, expected, what="logits", hint=SHIFT)
    expect.tensor(later, (B, T, V), what="logits")
    early = slice(None, T // 2 + 1)
    expect.close(later[:, early], expected[:, early], what="early logits", hint=FUTURE)


@pytest.mark.points(3)
@pytest.mark.property
def check_arguments_are_left_alone(student, case, reference):
    """Sources, lengths, targets and logits are the same after each call as before."""
    B, S, T, V = case.sizes(B=(2, 3), S=(4, 5), T=(6, 7), V=(8, 9))
    model, _ = _model(student, reference, case, V, 5, 4)
    source, lengths, targets = _batch(case, V, B, S, T)
    source[source == PAD], targets[:, -1] = V - 1, PAD

    inputs = student.shift_right(targets, BOS)
    expect.inputs_unchanged(student, what="targets of shift_right", hint=CALLER)
    loss = student.sequence_loss(case.randn(B, T, V), targets, PAD)
    expect.inputs_unchanged(student, what="arguments of sequence_loss", hint=CALLER)
    logits = model(source, lengths, targets, BOS)
    expect.inputs_unchanged(student, what="arguments of forward", hint=CALLER)
    model.decode(targets, case.randn(1, B, 4))
    expect.inputs_unchanged(student, what="arguments of decode", hint=CALLER)

    expect.tensor(inputs, (B, T), what="inputs")
    expect.tensor(loss, (), what="loss")
    expect.tensor(logits, (B, T, V), what="logits")


@pytest.mark.points(2)
@pytest.mark.property
def check_answers_are_plain_ids(student, case, reference):
    """Greedy decoding answers with lists of Python's own ints."""
    model, _ = _model(student, reference, case, 8, 5, 4)
    source, lengths, _ = _batch(case, 8, 2, 4, 2)

    rows = expect.sequence(model.greedy(source, lengths, BOS, EOS, 3), 2, what="rows")

    for row in rows:
        kind, listed = type(row).__name__, isinstance(row, list | tuple)
        expect.true(listed, what="a row", expected="a list", got=kind, hint=IDS)
        for token in row:
            expect.number(token, int, what="an id", hint=IDS)


@pytest.mark.points(7)
@pytest.mark.numeric
def check_gradients_of_all_layers(student, case, reference):
    """Training reaches the embedding, both networks and the output layer."""
    B, S, T, V = case.sizes(B=(2, 3), S=(4, 5), T=(6, 7), V=(8, 9))
    model, ours = _model(student, reference, case, V, 5, 4)
    source, lengths, targets = _batch(case, V, B, S, T)

    logits = expect.tensor(
        model(source, lengths, targets, BOS), (B, T, V), what="logits"
    )
    loss = expect.tensor(student.sequence_loss(logits, targets, PAD), (), what="loss")
    loss.backward()

    reference.sequence_loss(
        ours(source, lengths, targets, BOS), targets, PAD
    ).backward()
    grads = model.grads()
    for name, parameter in ours.named_parameters():
        expect.close(grads[name], parameter.grad, what=f"{name}.grad", hint=GRADIENT)


def _telling(rows, max_len):
    """A row that ended early, one cut off, and one that writes different tokens."""
    ended = any(row[-1] == EOS and 1 < len(row) < max_len for row in rows)
    varied = any(len(set(row[:-1])) > 2 for row in rows)
    return varied and ended and any(EOS not in row for row in rows)


def _greedy_case(case, reference, V, max_len):
    """Weights and sources for which greedy decoding has something to tell."""
    for _ in range(60):
        ours = reference.Seq2Seq(V, 7, 9)
        shapes = {name: value.shape for name, value in ours.state_dict().items()}
        weights = {
            name: case.randn(*shape, scale=1.2) for name, shape in shapes.items()
        }
        ours.load_state_dict(weights)
        source, lengths, _ = _batch(case, V, 8, 5, 2)
        expected = ours.greedy(source, lengths, BOS, EOS, max_len)
        if _telling(expected, max_len):
            break
    # Where one that ended early stands first, the others still go on.
    first = min(range(8), key=lambda n: (expected[n] == [EOS], len(expected[n])))
    order = [first, *(n for n in range(8) if n != first)]
    return weights, source[order], lengths[order], [expected[n] for n in order]


@pytest.mark.points(8)
@pytest.mark.numeric
def check_greedy_decoding(student, case, reference):
    """Greedy decoding feeds its own choices back and ends each row at EOS."""
    V, max_len = 6, 12  # more than twice the sources
    weights, source, lengths, expected = case.once(
        "greedy", lambda: _greedy_case(case, reference, V, max_len)
    )
    model = student.Seq2Seq(V, 7, 9)
    model.load_state_dict(weights)

    rows = model.greedy(source, lengths, BOS, EOS, max_len)

    expect.length(rows, 8, what="rows")
    for got, want in zip(rows, expected, strict=True):
        expect.length(got, len(want), what="a row", hint=END)
        expect.equal(list(got), want, what="a row", hint=FREE)

    # One source alone, and any ids may begin and end, also at the first step.
    model.eval()
    ours = reference.Seq2Seq(V, 7, 9)
    ours.load_state_dict(weights)
    first = expected[0][0]
    for one, bos, eos in ((0, 4, 3), (1, 3, 5), (0, BOS, first)):
        alone = (source[one : one + 1], lengths[one : one + 1], bos, eos, max_len)
        (want,) = ours.greedy(*alone)
        (got,) = expect.sequence(model.greedy(*alone), 1, what="rows")
        expect.equal(list(got), want, what="a row", hint=MARKS)
