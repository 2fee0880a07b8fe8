"""Hidden suite for lstm_jacobian: drawn weights and states against the reference."""

import pytest
import torch

from grader.session import expect

pytestmark = pytest.mark.exercise("lstm_jacobian")

DOUBLE = torch.float64
HELD = "h_0 is held fixed while c_0 varies."
INDEX = "Entry (i, j): which of the two is the last state?"
PLAIN = "What is the Jacobian of one plain step, and in which order do they multiply?"
PATHS = "Compare the two on a run of several steps. Which paths does each one count?"


def _draw(case, blocks, T, D, H):
    x, h0, c0 = case.randn(T, D, dtype=DOUBLE), *case.randn(2, H, dtype=DOUBLE)
    w_ih = case.randn(blocks * H, D, dtype=DOUBLE, scale=0.5)
    w_hh = case.randn(blocks * H, H, dtype=DOUBLE, scale=0.5)
    return x, h0, c0, w_ih, w_hh, case.randn(blocks * H, dtype=DOUBLE)


@pytest.mark.points(11)
@pytest.mark.numeric
def check_drawn_runs(student, case, reference):
    """Cell states and gates of drawn runs are right, from states that are not zero."""
    T, D, H = case.sizes(T=(5, 8), D=(2, 3), H=(4, 7))
    for steps in (1, T):
        inputs = _draw(case, 4, steps, D, H)

        c_n, forget = expect.pair(student.lstm_run(*inputs), what="result")

        expected = reference.lstm_run(*inputs)
        expect.close(c_n, expected[0], what="c_n")
        expect.close(forget, expected[1], what="forget")


@pytest.mark.points(17)
@pytest.mark.numeric
def check_whole_jacobian(student, case, reference):
    """The whole Jacobian of a drawn run is right, with the last state in front."""
    T, D, H = case.sizes(T=(4, 6), D=(2, 3), H=(7, 8))
    inputs = _draw(case, 4, T, D, H)

    whole = student.full_jacobian(*inputs)

    expect.tensor(whole, (H, H), what="jacobian")
    expect.close(whole, reference.full_jacobian(*inputs), what="jacobian", hint=INDEX)


@pytest.mark.points(9)
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


@pytest.mark.points(8)
@pytest.mark.numeric
def check_direct_path_of_drawn_gates(student, case):
    """Products of drawn gates are right, for one step and for many."""
    H = case.integer(3, 6)
    for T in (1, 12):
        gates = case.rand(T, H, lo=0.3, dtype=DOUBLE)
        got = student.direct_path(gates)
        expect.close(got, gates.log().sum(0).exp(), what=f"direct path, T={T}")


@pytest.mark.points(12)
@pytest.mark.numeric
def check_plain_rnn(student, case, reference):
    """The Jacobian of a plain RNN is right for drawn weights and states."""
    T, D, H = case.sizes(T=(4, 6), D=(2, 3), H=(7, 8))
    x, h0, _, w_ih, w_hh, bias = _draw(case, 1, T, D, H)

    got = student.rnn_jacobian(x, h0, w_ih, w_hh, bias)

    expected = reference.rnn_jacobian(x, h0, w_ih, w_hh, bias)
    expect.close(got, expected, what="jacobian", hint=PLAIN)
