"""Hidden suite for rnn_cell: drawn weights, long sequences, gradients."""

import pytest
import torch

from grader.session import expect

pytestmark = pytest.mark.exercise("rnn_cell")

FAR = "What is e to the power of some hundred in this dtype?"
DTYPE = "Which dtype has a new tensor when you name none?"
OWN = "Of which tensor do you take the gradient when x wants one itself?"
GRADIENT = "Does the graph reach every weight, through every step?"
APART = "Which samples may a sample's state depend on?"
NORMS = "One norm for each sample and step: over which axis?"
CLEAN = "The caller's x is only read. What does its .grad hold afterwards?"
SUMMED = "L is the sum over the whole last state, not over the output."


def _weights(case, D, H, **kwargs):
    sizes = ((H, D), (H, H), (H,), (H,))
    return [case.randn(*size, scale=0.6, **kwargs) for size in sizes]


@pytest.mark.points(9)
@pytest.mark.numeric
def check_drawn_sequences(student, case, reference):
    """Outputs and last state are right for B = 1 and for any sizes."""
    T, few, many = case.sizes(T=(5, 8), D=(2, 4), H=(4, 7))
    sizes = [(1, few, many), (3, few, many), (2, many, many), (3, few, 1), (2, 1, many)]
    sizes.append((9, few, many))  # more samples than steps
    for B, D, H in sizes:
        x, h0, weights = case.randn(B, T, D), case.randn(B, H), _weights(case, D, H)

        result = student.rnn_forward(x, h0, *weights)

        output, h_n = expect.pair(result, what="result")
        expected = reference.rnn_forward(x, h0, *weights)
        expect.close(output, expected[0], what="output")
        expect.close(h_n, expected[1], what="h_n")


@pytest.mark.points(11)
@pytest.mark.numeric
def check_gradients_of_the_weights(student, case, reference):
    """Weights, biases, inputs and the first state get their gradients."""
    B, T, D, H = case.sizes(B=(2, 3), T=(4, 6), D=(2, 5), H=(3, 7))
    double = {"dtype": torch.float64, "requires_grad": True}
    inputs = [case.randn(B, T, D, **double), case.randn(B, H, **double)]
    inputs += _weights(case, D, H, **double)
    upstream = case.randn(B, T, H, dtype=torch.float64)

    output, h_n = expect.pair(student.rnn_forward(*inputs), what="result")
    loss = (expect.tensor(output, (B, T, H), what="output") * upstream).sum()
    grads = torch.autograd.grad(loss + h_n.sum(), inputs)

    output, h_n = reference.rnn_forward(*inputs)
    expected = torch.autograd.grad((output * upstream).sum() + h_n.sum(), inputs)
    for name, got, want in zip(
        ("x", "h0", "w_ih", "w_hh", "b_ih", "b_hh"), grads, expected, strict=True
    ):
        expect.close(got, want, what=f"gradient of {name}", hint=GRADIENT)

    # A step by itself, of a single sample.
    step = [case.randn(1, D, **double), case.randn(1, H, **double), *inputs[2:]]
    state = expect.tensor(student.rnn_step(*step), (1, H), torch.float64, what="state")
    expect.inputs_unchanged(student)
    grads = torch.autograd.grad((state * upstream[0, 0]).sum(), step)
    ours = (reference.rnn_step(*step) * upstream[0, 0]).sum()
    expected = torch.autograd.grad(ours, step)
    names = ("x", "h", "w_ih", "w_hh", "b_ih", "b_hh")
    for name, got, want in zip(names, grads, expected, strict=True):
        expect.close(got, want, what=f"gradient of {name}", hint=GRADIENT)


@pytest.mark.points(8)
@pytest.mark.numeric
def check_samples_stay_apart(student, case):
    """Each sample of a batch gives what it gives alone, and nothing is changed."""
    B, T, D, H = case.sizes(B=(2, 3), T=(4, 6), D=(2, 5), H=(3, 7))
    x, h0, weights = case.randn(B, T, D), case.randn(B, H), _weights(case, D, H)

    output, _ = expect.pair(student.rnn_forward(x, h0, *weights), what="result")
    expect.inputs_unchanged(student)
    alone, last = student.rnn_forward(x[:1], h0[:1], *weights)

    expect.tensor(output, (B, T, H), what="output")
    expect.close(alone, output[:1], what="output of one sample", hint=APART)
    expect.close(last, output[:1, -1], what="h_n of one sample", hint=APART)


@pytest.mark.points(14)
@pytest.mark.numeric
def check_gradient_norms(student, case, reference):
    """The norms are right, whether or not x wants a gradient of its own."""
    B, T, few, many = case.sizes(B=(2, 3), T=(5, 7), D=(2, 4), H=(8, 10))
    for rows, D, H in ((B, few, many), (B, 1, many), (9, few, 1)):
        x = case.randn(rows, T, D, dtype=torch.float64)
        h0 = case.randn(rows, H, dtype=torch.float64)
        weights = _weights(case, D, H, dtype=torch.float64)

        expected = reference.grad_norm_by_step(x, h0, *weights)
        for given, hint in ((x, SUMMED), (x.clone().requires_grad_(), OWN)):
            norms = student.grad_norm_by_step(given, h0, *weights)

            expect.tensor(norms, (rows, T), x.dtype, what="norms", hint=NORMS)
            expect.close(norms, expected, what="norms", hint=hint)


@pytest.mark.points(8)
@pytest.mark.numeric
def check_far_steps_in_single_precision(student, case, reference):
    """With small recurrent weights the gradient of early steps all but vanishes."""
    T, D, H = 30, 3, 8
    x, h0 = case.randn(2, T, D), torch.zeros(2, H)
    weights = [case.randn(H, D), case.randn(H, H, scale=0.15), *torch.zeros(2, H)]

    norms = student.grad_norm_by_step(x, h0, *weights)

    expected = reference.grad_norm_by_step(x, h0, *weights)
    expect.close(norms, expected, what="norms", atol=1e-7)
    near, far = norms[:, -1].min(), norms[:, 0].max()
    expect.true(bool(far < 1e-6 * near), what="norm at the first step", expected="tiny")


@pytest.mark.points(6)
@pytest.mark.numeric
def check_norms_leave_the_input_alone(student, case, reference):
    """Calling for norms twice gives the same, and leaves x as it was."""
    T, D, H = case.sizes(T=(4, 6), D=(2, 3), H=(7, 9))
    x, h0, weights = case.randn(2, T, D), case.randn(2, H), _weights(case, D, H)

    first = student.grad_norm_by_step(x, h0, *weights)
    expect.inputs_unchanged(student, hint=CLEAN)
    second = student.grad_norm_by_step(x, h0, *weights)

    expect.close(first, reference.grad_norm_by_step(x, h0, *weights), what="norms")
    expect.close(second, first, what="norms of the second call", hint=CLEAN)


@pytest.mark.points(2)
@pytest.mark.numeric
def check_far_inputs(student, case):
    """Inputs of some hundred give states of 1 and -1, of the inputs' dtype."""
    H = case.integer(3, 5)
    for dtype in (torch.float32, torch.float64):
        w_ih = case.randint(0, 2, H, 1).to(dtype) * 2 - 1
        x, zero = torch.tensor([[[500.0], [-900.0]]], dtype=dtype), w_ih.new_zeros(H)
        inputs = (x, zero[None], w_ih, torch.eye(H, dtype=dtype), zero, zero)

        output, h_n = expect.pair(student.rnn_forward(*inputs), what="result")

        expect.tensor(output, (1, 2, H), dtype, what="output", hint=DTYPE)
        expect.close(output[0, 0], w_ih[:, 0], what="output", hint=FAR)
        expect.close(h_n, -w_ih.T, what="h_n", hint=FAR)
