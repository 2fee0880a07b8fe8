"""Suite for truncated_bptt: cutting the graph, and training chunk by chunk."""

import pytest
import torch
from torch import nn

from grader.session import expect

pytestmark = pytest.mark.exercise("truncated_bptt")

CUT = "Same numbers, no history: what does your result still know about its past?"
PAIR = "An LSTM's state is (h, c). What does your function do with each of the two?"
ONE = "What does a GRU return as its state, and what does your function make of it?"
COUNT = (
    "How many chunks are there when chunk_len does not divide T, and what is each loss?"
)
PLAIN = (
    "With one chunk this is an ordinary training step. In which order are its parts?"
)
CARRY = (
    "What does chunk 2 start from? And do inputs and targets start at the same step?"
)
ORDER = "Follow one chunk: which gradients does step() see, and from which loss?"

F64 = torch.float64
# Worked out once for the _ramp() inputs of check_recorded_numbers.
LOSSES = [0.6105907, 0.5664722, 0.4465619]
HEAD = [
    [0.2049413, 0.4868637, 0.2633848, -0.1632805],
    [-0.4898412, -0.3472179, 0.0916452, 0.4808991],
]


LSTM = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")  # in PyTorch's order


def _ramp(*shape, start):
    """The sines of start, start + 1, ...: numbers without a pattern or a seed."""
    count = torch.Size(shape).numel()
    return torch.arange(start, start + count).double().sin().reshape(shape)


def _net(worker, case, D, H, V):
    """(handle, maker of our LSTM and head): a model with drawn weights."""
    lstm = [(4 * H, D), (4 * H, H), (4 * H,), (4 * H,)]
    drawn = [
        case.randn(*shape, dtype=F64, scale=0.5) for shape in [*lstm, (V, H), (V,)]
    ]
    names = [f"rnn.{kind}_l0" for kind in LSTM] + ["head.weight", "head.bias"]
    model = worker.kit.Net("LSTM", D, H, V, F64)
    model.load_state_dict(dict(zip(names, drawn, strict=True)))

    def twin():
        ours = nn.LSTM(D, H, batch_first=True, dtype=F64), nn.Linear(H, V, dtype=F64)
        parameters = [*ours[0].parameters(), *ours[1].parameters()]
        for parameter, value in zip(parameters, drawn, strict=True):
            parameter.data = value.clone()
        return ours

    return model, twin


@pytest.mark.points(5)
@pytest.mark.numeric
def check_detach_one_tensor(student, case):
    """detach_hidden keeps the numbers of a tensor and cuts its history."""
    L, B, H = case.sizes(L=(1, 2), B=(3, 4), H=(5, 8))
    state = case.randn(L, B, H, requires_grad=True)
    numbers = state.detach().clone()

    result = student.detach_hidden(state)

    expect.tensor(result, (L, B, H), torch.float32, what="result", hint=ONE)
    expect.close(result, numbers, what="result", hint=ONE)
    expect.true(not result.requires_grad, what="cut from the graph", hint=CUT)
    expect.inputs_unchanged(student, what="state", hint=ONE)


@pytest.mark.points(5)
@pytest.mark.numeric
def check_detach_a_pair(student, case):
    """detach_hidden does the same to both tensors of an LSTM's state."""
    L, B, H = case.sizes(L=(1, 2), B=(3, 4), H=(5, 8))
    state = tuple(case.randn(L, B, H, requires_grad=True) for _ in range(2))
    numbers = [part.detach().clone() for part in state]

    result = student.detach_hidden(state)

    parts = expect.pair(result, what="detached (h, c)", hint=PAIR)
    for name, part, wanted in zip("hc", parts, numbers, strict=True):
        expect.close(part, wanted, what=name, hint=PAIR)
        expect.true(not part.requires_grad, what=f"{name} cut from the graph", hint=CUT)


@pytest.mark.points(6)
@pytest.mark.property
def check_one_number_a_chunk(student, worker, case):
    """The result is a list of floats, one for each chunk, the short last one too."""
    B, D, H, V = case.sizes(B=(2, 3), D=(4, 6), H=(5, 8), V=(3, 7))
    model, _ = _net(worker, case, D, H, V)
    mse, optimizer = worker.torch.nn.MSELoss(), worker.kit.sgd(model, lr=0.1)
    for T, chunk_len, chunks in ((6, 3, 2), (7, 3, 3), (3, 5, 1)):
        x, y = case.randn(B, T, D, dtype=F64), case.randn(B, T, V, dtype=F64)

        result = student.train_truncated_bptt(model, x, y, mse, optimizer, chunk_len)

        what = f"losses for T={T} and chunk_len={chunk_len}"
        expect.length(result, chunks, what=what, hint=COUNT)
        kinds = sorted({type(loss).__name__ for loss in result})
        expect.equal(kinds, ["float"], what=f"types of {what}", hint=COUNT)


@pytest.mark.points(9)
@pytest.mark.numeric
def check_one_chunk_is_one_plain_step(student, worker, case):
    """With chunk_len above T the whole sequence is one ordinary step."""
    B, T, D, H, V = case.sizes(B=(2, 3), T=(4, 6), D=(3, 5), H=(6, 9), V=(2, 4))
    model, twin = _net(worker, case, D, H, V)
    x, y = case.randn(B, T, D, dtype=F64), case.randn(B, T, V, dtype=F64)
    mse, optimizer = worker.torch.nn.MSELoss(), worker.kit.sgd(model, lr=0.5)

    result = student.train_truncated_bptt(model, x, y, mse, optimizer, T + 2)

    def one_step():
        lstm, head = twin()
        loss = (head(lstm(x)[0]) - y).pow(2).mean()
        loss.backward()
        parts = (("rnn", lstm), ("head", head))
        return loss.item(), {
            f"{prefix}.{name}": p.detach() - 0.5 * p.grad
            for prefix, part in parts
            for name, p in part.named_parameters()
        }

    loss, wanted = case.once("one step", one_step)
    expect.close(result, [loss], what="losses", hint=PLAIN, rtol=1e-5)
    state = model.state_dict()
    for name, value in wanted.items():
        what = f"{name} after the step"
        expect.close(state.get(name), value, what=what, hint=PLAIN, atol=1e-6)


@pytest.mark.points(9)
@pytest.mark.numeric
def check_state_is_carried(student, worker, case):
    """At learning rate 0 the losses are those of one long run, chunk by chunk."""
    B, n, D, H, V = case.sizes(B=(2, 3), n=(3, 4), D=(4, 5), H=(6, 9), V=(2, 5))
    model, twin = _net(worker, case, D, H, V)
    x, y = case.randn(B, 3 * n, D, dtype=F64), case.randn(B, 3 * n, V, dtype=F64)
    mse, optimizer = worker.torch.nn.MSELoss(), worker.kit.sgd(model, lr=0.0)

    result = student.train_truncated_bptt(model, x, y, mse, optimizer, n)

    def one_run():
        lstm, head = twin()
        errors = (head(lstm(x)[0]) - y).pow(2).reshape(B, 3, n, V)
        return errors.mean((0, 2, 3)).tolist()

    expect.close(result, case.once("one run", one_run), what="losses", hint=CARRY)


@pytest.mark.points(12)
@pytest.mark.numeric
def check_recorded_numbers(student, worker):
    """Three chunks of a given LSTM give the recorded losses and weights."""
    model = worker.kit.Net("LSTM", 3, 4, 2, F64)
    lstm = {"rnn." + n: p for n, p in nn.LSTM(3, 4).named_parameters()}
    head = {"head." + n: p for n, p in nn.Linear(4, 2).named_parameters()}
    state, start = {}, 1
    for name, value in (lstm | head).items():
        state[name] = _ramp(*value.shape, start=start) / 2
        start += value.numel()
    model.load_state_dict(state)
    mse, optimizer = worker.torch.nn.MSELoss(), worker.kit.sgd(model, lr=0.5)
    x, y = _ramp(2, 8, 3, start=300), _ramp(2, 8, 2, start=400)

    result = student.train_truncated_bptt(model, x, y, mse, optimizer, 3)

    expect.close(result, LOSSES, what="losses", hint=ORDER, rtol=1e-5)
    got = model.state_dict().get("head.weight")
    expect.close(got, HEAD, what="head.weight", hint=ORDER, rtol=1e-5, atol=1e-6)
