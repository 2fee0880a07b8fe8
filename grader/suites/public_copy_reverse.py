"""Suite for copy_reverse: the parts first, then one training for each task."""

import math

import pytest
import torch

from grader.results import Curve
from grader.session import expect

pytestmark = pytest.mark.exercise("copy_reverse")

PAD, BOS = 0, 1
VOCAB, EMBED, HIDDEN, LONG, SHORT = 12, 16, 32, 7, 3
RATE, SIZE, CHUNK, CHUNKS = 0.01, 32, 25, 20
ENOUGH = 0.97  # hits that stop a training: above the last step of points

TURN = "Write a row of length 3 in a rectangle of 5. Where does its padding go?"
SCORE = "How large is one score by hand, and which axis do the weights sum over?"
MASK = "Which positions are overwritten, and before or after the softmax?"
PADDING = "Put rubbish into the padding of a source. What moves?"
HITS = "Which axis of the weights holds the keys, and which steps count?"
RIGHT = "Which steps of a row of length 2 count?"
LOSS = "Which tokens are predicted, and what is the decoder fed at each step?"
ALIGN = "Print the loss and look at the heat map: where do the weights lie?"


def _rows(case, task, n):
    """Fresh sources with what is to be written for them."""
    source, lengths = case.randint(2, VOCAB, n, LONG), case.lengths(n, SHORT, LONG)
    source[torch.arange(LONG) >= lengths[:, None]] = PAD
    targets = source.clone()
    if task == "reverse":
        for row, length in enumerate(lengths.tolist()):
            targets[row, :length] = source[row, :length].flip(0)
    return source, lengths, targets


def _fed(targets):
    """BOS, then all targets but the last."""
    return torch.nn.functional.pad(targets[:, :-1], (1, 0), value=BOS)


@pytest.mark.points(6)
@pytest.mark.numeric
def check_targets_turn_round(student):
    """Rows are copied, or turned round within their own lengths."""
    source = torch.tensor([[5, 3, 7, 0, 0], [2, 4, 6, 8, 9], [3, 0, 0, 0, 0]])
    lengths = torch.tensor([3, 5, 1])
    backwards = torch.tensor([[7, 3, 5, 0, 0], [9, 8, 6, 4, 2], [3, 0, 0, 0, 0]])

    copied = student.make_targets("copy", source, lengths)
    turned = student.make_targets("reverse", source, lengths)

    expect.equal(copied, source, what="targets of copy", hint=TURN)
    expect.equal(turned, backwards, what="targets of reverse", hint=TURN)


@pytest.mark.points(7)
@pytest.mark.numeric
def check_weights_by_hand(student):
    """Keys that score log 1, log 2 and log 5 get weights 1/8, 2/8 and 5/8."""
    logs = [math.log(n) for n in (1, 2, 5)]
    shares = torch.tensor([[[1 / 8, 2 / 8, 5 / 8]]])
    mask = torch.zeros(1, 3, dtype=torch.bool)
    keys = torch.tensor([[[n, 1.0, 0.0, 0.0] for n in logs]])
    for kind, size in (("dot", 1.0), ("scaled", 2.0)):
        attention = student.Attention(kind, 4, 4, 4, separate_kv=False)
        state = attention.state_dict()
        eye = {"W_query.weight": torch.eye(4), "W_key.weight": torch.eye(4)}
        attention.load_state_dict(state | eye)

        query = torch.tensor([[[size, 0.0, 0.0, 3.0]]])
        context, weights = expect.pair(attention(query, keys, mask), what="result")

        expect.close(weights, shares, what=f"weights of {kind}", hint=SCORE)
        expect.close(context, shares @ keys, what=f"context of {kind}", hint=SCORE)


@pytest.mark.points(6)
@pytest.mark.numeric
def check_masked_keys_get_nothing(student, case):
    """In every kind rows sum to 1, and masked keys have weight 0 and no influence."""
    B, T, S, Dq, Dk, A = case.sizes(
        B=(2, 3), T=(4, 5), S=(6, 7), Dq=(3, 5), Dk=(4, 6), A=(7, 8)
    )
    queries, keys = case.randn(B, T, Dq), case.randn(B, S, Dk)
    mask = torch.arange(S) >= case.lengths(B, 3, S - 1)[:, None]
    other = torch.where(mask[..., None], 5 + keys, keys)
    for kind in ("additive", "dot", "scaled"):
        attention = student.Attention(kind, Dq, Dk, A)

        context, weights = expect.pair(attention(queries, keys, mask), what="result")
        again, _ = expect.pair(attention(queries, other, mask), what="result")

        expect.tensor(weights, (B, T, S), what=f"weights of {kind}", hint=SCORE)
        expect.tensor(context, (B, T, Dk), what=f"context of {kind}", hint=SCORE)
        expect.rows_sum_to(weights, 1.0, what=f"weights of {kind}", hint=SCORE)
        masked = mask[:, None].expand(B, T, S)
        expect.zero_where(weights, masked, what=f"weights of {kind}", hint=MASK)
        expect.close(again, context, what=f"{kind}: other masked keys", hint=MASK)
        expect.differs(weights[:, 0], weights[:, 1], what=f"{kind}: two queries")


@pytest.mark.points(7)
@pytest.mark.numeric
def check_padding_of_the_source_stays_out(student, case):
    """A source's padding gets no weight and moves no logit."""
    model = student.Copier("additive", VOCAB, 5, 6, attn_dim=7)
    source, lengths = case.randint(2, VOCAB, 3, 6), torch.tensor([2, 6, 4])
    inputs = case.randint(2, VOCAB, 3, 5)
    past = torch.arange(6) >= lengths[:, None]
    source = source.masked_fill(past, PAD)

    logits, weights = expect.pair(model(source, lengths, inputs), what="result")
    short = expect.pair(model(source[:1, :2], lengths[:1], inputs[:1]), what="result")

    expect.tensor(logits, (3, 5, VOCAB), what="logits")
    expect.tensor(weights, (3, 5, 6), what="weights")
    masked = past[:, None].expand(3, 5, 6)
    expect.zero_where(weights, masked, what="weights of padding", hint=PADDING)
    expect.close(short[0], logits[:1], what="logits of one row alone", hint=PADDING)
    expect.differs(logits[0], logits[1], what="logits of two rows")


@pytest.mark.points(5)
@pytest.mark.numeric
def check_hits_by_hand(student):
    """Of five real steps two hit for a copy and four for a reversal."""
    weights = torch.tensor(
        [[[0.1, 0.2, 0.7], [0.2, 0.5, 0.3], [0.2, 0.3, 0.5]],
         [[0.4, 0.6, 0.0], [0.9, 0.1, 0.0], [0.8, 0.2, 0.0]]]
    )  # fmt: skip
    for lengths, task, share in (
        ([3, 2], "copy", 2 / 5),
        ([3, 2], "reverse", 4 / 5),
        ([3, 1], "copy", 2 / 4),
    ):
        found = student.alignment_hits(weights, torch.tensor(lengths), task)

        what = f"hits of {task}, lengths {lengths}"
        expect.close(found, share, what=what, hint=HITS, atol=1e-5)


@pytest.mark.points(5)
@pytest.mark.numeric
def check_accuracy_by_hand(student):
    """Each length has its own share of right tokens; padding does not count."""
    targets = torch.tensor([[2, 3, 4], [3, 2, 0], [4, 4, 0]])
    guesses = torch.tensor([[2, 3, 3], [3, 3, 0], [2, 4, 0]])
    logits = 4.0 * torch.nn.functional.one_hot(guesses, 6)

    found = student.accuracy_by_length(logits, targets, torch.tensor([3, 2, 2]))

    kind = type(found).__name__
    expect.true(kind == "dict", what="accuracies", expected="a dict", got=kind)
    expect.equal(sorted(found), [2, 3], what="its lengths")
    got = [found[2], found[3]]
    expect.close(got, [0.5, 2 / 3], what="shares", hint=RIGHT, atol=1e-5)


@pytest.mark.points(6)
@pytest.mark.numeric
def check_loss_of_real_tokens(student, worker, case):
    """At learning rate 0 the losses are the mean over real tokens, one a batch."""
    model = student.Copier("dot", VOCAB, 5, 6, attn_dim=7)
    batches = [_rows(case, "reverse", 3) for _ in range(2)]
    expected = []
    for source, lengths, targets in batches:
        with torch.no_grad():
            logits, _ = expect.pair(
                model(source, lengths, _fed(targets)), what="result"
            )
        expect.tensor(logits, (3, LONG, VOCAB), what="logits")
        chosen = torch.log_softmax(logits, -1).gather(2, targets.unsqueeze(2))
        expected.append(-float(chosen.squeeze(2)[targets != PAD].mean()))

    order, optimizer = worker.kit.in_order(batches), worker.kit.sgd(model, lr=0.0)
    losses = student.train(model, optimizer, order, 2)

    expect.length(losses, 2, what="losses", hint=LOSS)
    expect.equal([type(v).__name__ for v in losses], ["float"] * 2, what="their types")
    expect.close(losses, expected, what="losses", hint=LOSS, rtol=1e-4)


@pytest.mark.points(4)
@pytest.mark.numeric
@pytest.mark.budget(60)
@pytest.mark.after("masked_keys_get_nothing", "padding_of_the_source_stays_out")
@pytest.mark.hint(ALIGN)
def check_reverse_aligns(student, worker, case, lab):
    """Trained to reverse, 60 % of the largest weights lie on the anti-diagonal."""
    _train_and_judge("reverse", student, worker, case, lab)


@pytest.mark.points(4)
@pytest.mark.numeric
@pytest.mark.budget(60)
@pytest.mark.after("masked_keys_get_nothing", "padding_of_the_source_stays_out")
@pytest.mark.hint(ALIGN)
def check_copy_aligns(student, worker, case, lab):
    """Trained to copy, 60 % of the largest weights lie on the diagonal."""
    _train_and_judge("copy", student, worker, case, lab)


def _train_and_judge(task, student, worker, case, lab):
    sizes = (4096, 200, 300)
    pool, early, test = case.once("rows", lambda: [_rows(case, task, n) for n in sizes])

    def attempt(number):
        model = student.Copier("additive", VOCAB, EMBED, HIDDEN)
        batches = worker.kit.minibatches(*pool, SIZE)
        optimizer = worker.kit.adam(model, lr=RATE)
        told, measured = [], []
        for chunk in range(CHUNKS):
            report = lab.reporter(
                f"{task}, try {number + 1}", CHUNK * chunk, CHUNK * CHUNKS
            )
            losses = student.train(model, optimizer, batches, CHUNK, report=report)
            expect.length(losses, CHUNK, what="losses")
            told += list(losses)
            measured.append(_hits(task, early, _weights(model, early)))
            if measured[-1] >= ENOUGH:
                break
        weights = _weights(model, test)
        share = _hits(task, test, weights)
        return 1 - share, (told, measured, weights, model.state_dict())

    missed, (told, measured, weights, state) = lab.best_of(attempt, enough=0.05)

    lab.keep(task, state)
    steps = [float(CHUNK * (n + 1)) for n in range(len(measured))]
    each = [float(n + 1) for n in range(len(told))]
    lab.curves(
        f"Training to {task}",
        [
            Curve("loss as train returned it", each, told, told=True),
            Curve("hits on fresh rows", steps, measured),
        ],
        y="loss, hits",
        level=0.95,
    )
    longest = int(test[1].argmax())
    lab.heat_map(
        f"Where each token of one row looks ({task})",
        weights[longest],
        rows="token written",
        columns="token read",
    )
    expect.true(
        1 - missed >= 0.60,
        what=f"hits on fresh rows after training to {task}",
        expected="at least 60 %",
        got=f"{100 * (1 - missed):.0f} %",
        hint=ALIGN,
    )


@pytest.mark.shown
@pytest.mark.budget(70)
@pytest.mark.after("reverse_aligns")
def check_lengths_compared(student, worker, case, lab):
    """What gets lost through one vector, by length: with attention and without."""
    curves = []
    for kind, task in (("none", "copy"), ("none", "reverse"), ("additive", "reverse")):
        name = f"{task}, {'no' if kind == 'none' else kind} attention"
        pool, fresh = _rows(case, task, 4096), _rows(case, task, 600)
        lab.same_draws()
        model = student.Copier(kind, VOCAB, EMBED, HIDDEN)
        for _ in _trained(name, model, pool, 12, student, worker, lab):
            pass
        curves.append(_by_length(name, model, fresh))
    lab.curves("Tokens got right, by length", curves, x="length", y="share")


@pytest.mark.shown
@pytest.mark.budget(70)
@pytest.mark.after("reverse_aligns")
def check_scores_compared(student, worker, case, lab):
    """Dot and scaled dot scores of 256 terms, from one seed."""
    pool, fresh = _rows(case, "reverse", 4096), _rows(case, "reverse", 300)
    curves = []
    for kind in ("dot", "scaled"):
        curve = Curve(f"{kind}, attn_dim 256", [], [])
        lab.same_draws()
        model = student.Copier(kind, VOCAB, EMBED, HIDDEN, attn_dim=256)
        for step in _trained(curve.name, model, pool, 12, student, worker, lab):
            curve.x.append(float(step))
            curve.y.append(_hits("reverse", fresh, _weights(model, fresh)))
        curves.append(curve)
    lab.curves("Hits on the anti-diagonal, by score", curves, y="hits", level=0.95)


def _trained(name, model, pool, chunks, student, worker, lab):
    """Train chunk by chunk; gives the number of steps done after each."""
    batches = worker.kit.minibatches(*pool, SIZE)
    optimizer = worker.kit.adam(model, lr=RATE)
    for chunk in range(chunks):
        report = lab.reporter(name, CHUNK * chunk, CHUNK * chunks)
        student.train(model, optimizer, batches, CHUNK, report=report)
        yield CHUNK * (chunk + 1)


def _by_length(name, model, rows):
    """Share of tokens got right for each length, of our own counting."""
    source, lengths, targets = rows
    with torch.no_grad():
        logits, _ = expect.pair(model(source, lengths, _fed(targets)), what="result")
    expect.tensor(logits, (*targets.shape, VOCAB), what="logits")
    right = (logits.argmax(dim=2) == targets).double()
    found = {n: right[lengths == n][:, :n].mean() for n in range(SHORT, LONG + 1)}
    return Curve(name, [float(n) for n in found], [float(v) for v in found.values()])


def _weights(model, rows):
    source, lengths, targets = rows
    with torch.no_grad():
        _, weights = expect.pair(model(source, lengths, _fed(targets)), what="result")
    return expect.tensor(weights, (len(source), LONG, LONG), what="weights")


def _hits(task, rows, weights):
    """Share of real steps whose largest weight is on the task's diagonal."""
    lengths, step = rows[1][:, None], torch.arange(LONG)
    wanted = step if task == "copy" else lengths - 1 - step
    hit = weights.argmax(dim=2) == wanted
    return float(hit[step < lengths].double().mean())
