"""Hidden suite for copy_reverse: drawn cases, and the trained weights run here."""

import pytest
import torch

from grader.session import expect

pytestmark = pytest.mark.exercise("copy_reverse")

PAD, BOS = 0, 1
VOCAB, EMBED, HIDDEN, LONG, SHORT = 12, 16, 32, 7, 3

TURN = "From which step of its source does step t of a reversed row come?"
SCORE = "Compare one score with the formula in the docstring, term by term."
VALUES = "What are the values with separate_kv=False, and what with True?"
JOINED = "What does the last layer see, and in which order?"
CALLER = "What do the tensors hold that the caller still has?"
HITS = (
    "Use lengths that differ. Which steps count, and along which axis is the largest?"
)
PLAIN = "Of which type is a share: does it still hold a tensor?"
STEP = "Compare the weights after one step with those of a loop written out."
REPORT = "When is report called, and with which three numbers?"
ALIGN = "Print the loss and look at the heat map: where do the weights lie?"


def _drawn(case, model, scale=0.5):
    """Drawn weights for every parameter of ``model``."""
    return {
        name: case.randn(*value.shape, scale=scale)
        for name, value in model.state_dict().items()
    }


def _sources(case, n, long=LONG, short=1):
    source, lengths = case.randint(2, VOCAB, n, long), case.lengths(n, short, long)
    source[torch.arange(long) >= lengths[:, None]] = PAD
    return source, lengths


@pytest.mark.points(5)
@pytest.mark.numeric
def check_targets_of_drawn_sources(student, case, reference):
    """Drawn sources of any length are copied and turned round."""
    for n, long in ((7, 7), (1, 4)):
        source, lengths = _sources(case, n, long)
        if n == long:  # a row of every length
            lengths = 1 + case.permutation(n)
            source = 2 + source % (VOCAB - 2)
            source[torch.arange(long) >= lengths[:, None]] = PAD
        for task in ("reverse", "copy"):
            targets = student.make_targets(task, source, lengths)
            expect.inputs_unchanged(student, what="source and lengths", hint=CALLER)

            expected = reference.make_targets(task, source, lengths)
            what = f"targets of {task}"
            expect.tensor(targets, source.shape, torch.int64, what=what, hint=TURN)
            expect.equal(targets, expected, what=what, hint=TURN)


@pytest.mark.points(8)
@pytest.mark.numeric
def check_attention_of_drawn_weights(student, case, reference):
    """Every kind, with values of their own or not, gives the reference's numbers."""
    B, T, S, Dq, Dk, A = case.sizes(
        B=(2, 3), T=(3, 5), S=(6, 7), Dq=(4, 6), Dk=(5, 8), A=(7, 9)
    )
    queries, keys, mask = case.randn(B, T, Dq), case.randn(B, S, Dk), case.mask(B, S)
    mask[:, :3], mask[:, 3] = False, True  # where one key is left, no score shows
    # Also where a projected key is as long as the key itself.
    for kind, size in (("additive", A), ("dot", Dk), ("scaled", A), ("scaled", Dk)):
        for separate in (True, False):
            inputs = queries, keys, mask
            _judge_attention(student, reference, case, inputs, kind, size, separate)
            expect.inputs_unchanged(student, what="queries, keys and mask", hint=CALLER)
    # One query, and one sample with one key.
    for inputs in (
        (queries[:, :1], keys, mask),
        (queries[:1], keys[:1, :1], mask[:1, :1]),
    ):
        _judge_attention(student, reference, case, inputs, "additive", A, True)
    # Masked keys score 0, all others some hundred less.
    far = case.rand(B, S, Dk, lo=8.0, hi=9.0).masked_fill(mask[..., None], 0.0)
    inputs = far[:, :1].expand(B, T, Dk).clone(), -far, mask
    plain = {"W_query.weight": torch.eye(Dk), "W_key.weight": torch.eye(Dk)}
    _judge_attention(student, reference, case, inputs, "dot", Dk, False, plain)


def _judge_attention(
    student, reference, case, inputs, kind, size, separate, given=None
):
    """Student's and reference's attention of the same drawn weights."""
    sizes = inputs[0].size(2), inputs[1].size(2), size, separate
    ours = reference.Attention(kind, *sizes)
    weights = _drawn(case, ours) | (given or {})
    ours.load_state_dict(weights)
    attention = student.Attention(kind, *sizes)
    attention.load_state_dict(weights)

    context, got = expect.pair(attention(*inputs), what="result")

    wanted, expected = ours(*inputs)
    expect.close(got, expected, what=f"weights of {kind}", hint=SCORE)
    expect.close(context, wanted, what=f"context of {kind}", hint=VALUES)


@pytest.mark.points(8)
@pytest.mark.numeric
def check_logits_of_drawn_weights(student, case, reference):
    """With attention and without, the logits are the reference's."""
    source, lengths = _sources(case, 4, 6)
    inputs = case.randint(1, VOCAB, 4, 5)
    fed = {"dot": inputs[:, :1]}  # a decoder may go one step at a time
    for kind in ("scaled", "none", "additive", "dot"):
        inputs = fed.get(kind, inputs)
        ours = reference.Copier(kind, VOCAB, 5, 6, 7)
        weights = _drawn(case, ours)
        ours.load_state_dict(weights)
        model = student.Copier(kind, VOCAB, 5, 6, 7)
        model.load_state_dict(weights)
        if kind == "additive":  # a model is the same in training and evaluation
            model.eval()

        logits, seen = expect.pair(model(source, lengths, inputs), what="result")

        wanted, expected = ours(source, lengths, inputs)
        expect.close(logits, wanted, what=f"logits of {kind}", hint=JOINED)
        if expected is None:
            expect.true(seen is None, what="weights without attention", expected="None")
        else:
            expect.close(seen, expected, what=f"weights of {kind}", hint=SCORE)


@pytest.mark.points(4)
@pytest.mark.numeric
def check_hits_of_drawn_weights(student, case, reference):
    """Hits of drawn weights are the reference's, for both tasks."""
    lengths, step = case.lengths(30, 2, 5), torch.arange(5)
    for task in ("copy", "reverse"):
        # Half of the steps look where they should, the others anywhere.
        wanted = step if task == "copy" else (lengths[:, None] - 1 - step).clamp(min=0)
        hit = torch.nn.functional.one_hot(wanted.expand(30, 5), 5) * case.bool(30, 5, 1)
        weights = torch.softmax(case.randn(30, 5, 5) + 9.0 * hit, dim=2)
        share = student.alignment_hits(weights, lengths, task)

        expected = reference.alignment_hits(weights, lengths, task)
        expect.close(share, expected, what=f"hits of {task}", hint=HITS, atol=1e-5)
        expect.number(share, float, what=f"hits of {task}", hint=PLAIN)


@pytest.mark.points(4)
@pytest.mark.numeric
def check_accuracy_of_drawn_logits(student, case, reference):
    """Shares of right tokens by length are the reference's."""
    targets, lengths = _sources(case, 40, 5, 2)
    logits = case.randn(40, 5, VOCAB)
    logits += 2 * torch.nn.functional.one_hot(targets, VOCAB)

    found = student.accuracy_by_length(logits, targets, lengths)

    expected = reference.accuracy_by_length(logits, targets, lengths)
    kind = type(found).__name__
    expect.true(kind == "dict", what="accuracies", expected="a dict", got=kind)
    expect.equal(sorted(found), sorted(expected), what="lengths")
    got = [found[n] for n in sorted(found)]
    wanted = [expected[n] for n in sorted(expected)]
    expect.close(got, wanted, what="shares", atol=1e-5)
    expect.number(got[0], float, what="shares", hint=PLAIN)


@pytest.mark.points(5)
@pytest.mark.numeric
def check_trains_like_the_reference(student, worker, case, reference):
    """Three steps of descent lead to the reference's losses and weights."""
    ours = reference.Copier("additive", VOCAB, 5, 6, 7)
    weights = _drawn(case, ours)
    ours.load_state_dict(weights)
    model = student.Copier("additive", VOCAB, 5, 6, 7)
    model.load_state_dict(weights)
    batches = []
    for _ in range(8):
        source, lengths = _sources(case, 3, 6)
        targets = reference.make_targets("reverse", source, lengths)
        batches.append((source, lengths, targets))
    optimizer = worker.kit.sgd(model, lr=0.5, momentum=0.5)

    # In two parts, as a lab trains: the momentum goes on. No gradient is as long
    # as the second limit.
    losses, expected = [], []
    theirs = torch.optim.SGD(ours.parameters(), lr=0.5, momentum=0.5)
    for part, limit in ((batches[:2], 0.4), (batches[2:3], 90.0)):
        order, n = worker.kit.in_order(part), len(part)
        told = student.train(model, optimizer, order, n, max_norm=limit, every=1)
        losses += expect.sequence(told, n, what="losses", hint=STEP)
        expected += reference.train(ours, theirs, iter(part), n, max_norm=limit)

    expect.equal([type(v).__name__ for v in losses], ["float"] * 3, what="their types")
    expect.close(losses, expected, what="losses", hint=STEP, rtol=1e-3)
    state = model.state_dict()
    for name, value in ours.state_dict().items():
        expect.close(state.get(name), value, what=name, hint=STEP, atol=1e-4)

    notes, more = worker.kit.Notes(), worker.kit.in_order(batches[3:])
    losses = student.train(model, optimizer, more, 5, report=notes, every=2)
    told = expect.sequence(notes.seen(), 2, what="calls of report", hint=REPORT)
    wanted = [[2, 5, losses[1]], [4, 5, losses[3]]]
    expect.close([list(t) for t in told], wanted, what="what was told", hint=REPORT)


@pytest.mark.points(4)
@pytest.mark.numeric
@pytest.mark.after("reverse_aligns")
def check_reverse_aligns_well(lab, case, reference):
    """The weights trained to reverse hit 80 % of the anti-diagonal."""
    _judge(lab, case, reference, "reverse", 0.80)


@pytest.mark.points(4)
@pytest.mark.numeric
@pytest.mark.after("reverse_aligns")
def check_reverse_aligns_fully(lab, case, reference):
    """The weights trained to reverse hit 95 % of the anti-diagonal."""
    _judge(lab, case, reference, "reverse", 0.95)


@pytest.mark.points(4)
@pytest.mark.numeric
@pytest.mark.after("copy_aligns")
def check_copy_aligns_well(lab, case, reference):
    """The weights trained to copy hit 80 % of the diagonal."""
    _judge(lab, case, reference, "copy", 0.80)


@pytest.mark.points(4)
@pytest.mark.numeric
@pytest.mark.after("copy_aligns")
def check_copy_aligns_fully(lab, case, reference):
    """The weights trained to copy hit 95 % of the diagonal."""
    _judge(lab, case, reference, "copy", 0.95)


def _judge(lab, case, reference, task, least):
    """Hits of the student's weights in our own model, on rows of our own."""
    model = reference.Copier("additive", VOCAB, EMBED, HIDDEN)
    state = lab.kept(task)
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
    source, lengths = _sources(case, 500, LONG, SHORT)
    targets = reference.make_targets(task, source, lengths)
    with torch.no_grad():
        _, weights = model(source, lengths, reference.shift_right(targets))
    hits = reference.alignment_hits(weights, lengths, task)
    expect.true(
        hits >= least,
        what=f"hits on fresh rows after training to {task}",
        expected=f"at least {100 * least:.0f} %",
        got=f"{100 * hits:.1f} %",
        hint=ALIGN,
    )
