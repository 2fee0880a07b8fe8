"""Hidden suite for lstm_jacobian: drawn weights and states against the reference."""

import pytest
import torch

from grader.session import expect

pytestmark = pytest.mark.exercise("lstm_jacobian")

DOUBLE = torch.float64
DTYPE = "Which dtype has a new tensor when you name none?"
STAYS = "The caller may go on with these tensors. Which line writes into one?"
HELD = "h_0 is held fixed while c_0 varies."
INDEX = "Entry (i, j): which of the two is the last state?"
PLAIN = "What is the Jacobian of one plain step, and in which order do they multiply?"
VANISHES = "How small may a Jacobian become, and a slope of tanh?"
PATHS = "Compare the two on a run of several steps. Which paths does each one count?"


def _draw(case, blocks, T, D, H, dtype=DOUBLE):
    x, h0, c0 = case.randn(T, D, dtype=dtype), *case.randn(2, H, dtype=dtype)
    w_ih = case.randn(blocks * H, D, dtype=dtype, scale=0.5)
    w_hh = case.randn(blocks * H, H, dtype=dtype, scale=0.5)
    return x, h0, c0, w_ih, w_hh, case.randn(blocks * H, dtype=dtype)


@pytest.mark.points(11)
@pytest.mark.numeric
def check_drawn_runs(student, case, reference):
    """Cell states and gates of drawn runs are right, from states that are not zero."""
    T, D, H = case.sizes(T=(5, 8), D=(2, 3), H=(4, 7))
    for steps, dtype in ((1, torch.float32), (T, DOUBLE)):
        inputs = list(_draw(case, 4, steps, D, H, dtype))
        if steps > 1:  # far out, where exponentials overflow
            inputs[0][1], inputs[2] = inputs[0][1] * 900, inputs[2] * 20

        c_n, forget = expect.pair(student.lstm_run(*inputs), what="result")

        expected = reference.lstm_run(*inputs)
        for name, got, want in (
            ("c_n", c_n, expected[0]),
            ("forget", forget, expected[1]),
        ):
            expect.tensor(got, want.shape, dtype, what=name, hint=DTYPE)
            expect.close(got, want, what=name)


@pytest.mark.points(16)
@pytest.mark.numeric
def check_whole_jacobian(student, case, reference):
    """The whole Jacobian of a drawn run is right, with the last state in front."""
    T, D, H = case.sizes(T=(4, 6), D=(2, 3), H=(7, 8))
    for steps, dtype in ((T, DOUBLE), (2, torch.float32), (T, DOUBLE)):
        inputs = _draw(case, 4, steps, D, H, dtype)

        whole = student.full_jacobian(*inputs)

        expected = reference.full_jacobian(*inputs)
        expect.tensor(whole, (H, H), dtype, what="jacobian", hint=DTYPE)
        expect.close(whole, expected, what="jacobian", hint=INDEX)

    inputs = _draw(case, 4, T, D, H)
    inputs[4].mul_(1e-3)
    inputs[5][H : 2 * H] -= 8.0  # gates all but shut: next to nothing gets through
    whole, expected = student.full_jacobian(*inputs), reference.full_jacobian(*inputs)
    least = 1e-6 * float(expected.abs().max())
    expect.close(whole, expected, what="jacobian", hint=VANISHES, atol=least)


@pytest.mark.points(8)
@pytest.mark.numeric
def check_paths_add_up(student, case, reference):
    """After one step the two agree; after more the whole has other paths too."""
    T, D, H = case.sizes(T=(3, 5), D=(2, 3), H=(6, 8))
    inputs = _draw(case, 4, T, D, H)
    one = (inputs[0][:1], *inputs[1:])

    whole, direct = [], []
    for each in (one, inputs):
        whole.append(student.full_jacobian(*each))
        _, forget = expect.pair(student.lstm_run(*each), what="result")
        direct.append(student.direct_path(forget))

    expect.close(whole[0], reference.full_jacobian(*one), what="jacobian of a step")
    expect.close(
        direct[0], whole[0].diagonal(), what="direct path of a step", hint=HELD
    )
    expected = reference.lstm_run(*inputs)[1].prod(0)
    expect.close(direct[1], expected, what="direct path", hint=PATHS)
    expect.differs(whole[1], direct[1].diag(), what="both after some steps", hint=PATHS)


@pytest.mark.points(7)
@pytest.mark.numeric
def check_direct_path_of_drawn_gates(student, case):
    """Products of drawn gates are right, for one step and for many."""
    H = case.integer(3, 6)
    for T in (1, 60):
        gates = case.rand(T, H, lo=0.3, dtype=DOUBLE)
        gates[0, 1] = 1e-4  # a gate all but shut shuts the path
        got = student.direct_path(gates)
        expect.close(got, gates.log().sum(0).exp(), what=f"direct path, T={T}", atol=0)


@pytest.mark.points(12)
@pytest.mark.numeric
def check_plain_rnn(student, case, reference):
    """The Jacobian of a plain RNN is right for drawn weights and states."""
    T, D, H = case.sizes(T=(4, 6), D=(2, 3), H=(7, 8))
    for steps, dtype in ((T, DOUBLE), (1, torch.float32)):
        x, h0, _, w_ih, w_hh, bias = _draw(case, 1, steps, D, H, dtype)

        got = student.rnn_jacobian(x, h0, w_ih, w_hh, bias)

        expected = reference.rnn_jacobian(x, h0, w_ih, w_hh, bias)
        expect.tensor(got, (H, H), dtype, what="jacobian", hint=DTYPE)
        expect.close(got, expected, what="jacobian", hint=PLAIN)

    # Inputs as wide as the state, a saturated unit, a product that all but vanishes.
    x, h0, _, w_ih, w_hh, bias = _draw(case, 1, T, H, H)
    bias[0], w_hh = 9.0, w_hh * 1e-3
    got = student.rnn_jacobian(x, h0, w_ih, w_hh, bias)
    expected = reference.rnn_jacobian(x, h0, w_ih, w_hh, bias)
    least = 1e-7 * float(expected.abs().max())
    expect.close(got, expected, what="jacobian", hint=VANISHES, atol=least)


@pytest.mark.points(3)
@pytest.mark.property
def check_arguments_stay(student, case):
    """Inputs, states and weights stay as they were given."""
    D, H = case.sizes(D=(2, 3), H=(4, 6))
    inputs, plain = _draw(case, 4, 2, D, H), _draw(case, 1, 2, D, H)

    for call, given in (
        (student.lstm_run, inputs),
        (student.full_jacobian, inputs),
        (student.direct_path, (case.rand(3, H, lo=0.3, dtype=DOUBLE),)),
        (student.rnn_jacobian, (*plain[:2], *plain[3:])),
    ):
        call(*given)
        expect.inputs_unchanged(student, hint=STAYS)
