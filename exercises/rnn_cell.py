"""An RNN by hand, and how far its gradient reaches (day 4, 2.1 to 2.3).

Try it: make check EX=rnn_cell

A recurrent network reads a sequence of any length with one fixed set of
weights: the same step, over and over, on a state that sums up the past.
Unrolled in time it is a network of T layers, so the gradient of the last
state with respect to an early input passes through every step between.
Write the recurrence yourself, without nn.RNN or nn.RNNCell.
Arguments stay as they are, results keep their dtype, and a step passes
gradients on to all its arguments.
"""

import torch


def rnn_step(
    x: torch.Tensor,
    h: torch.Tensor,
    w_ih: torch.Tensor,
    w_hh: torch.Tensor,
    b_ih: torch.Tensor,
    b_hh: torch.Tensor,
) -> torch.Tensor:
    """One Elman step: tanh(W_ih x + b_ih + W_hh h + b_hh).

    Weights lie as in PyTorch: one row for each hidden unit.

    Args:
        x: (B, D) input of this step.
        h: (B, H) state before it.
        w_ih: (H, D).
        w_hh: (H, H).
        b_ih: (H,).
        b_hh: (H,).

    Returns:
        (B, H), the state after this step.
    """
    # TODO 1 of 3: the formula, for rows of a batch. 1 or 2 lines.
    raise NotImplementedError("rnn_step (TODO 1 of 3)")


def rnn_forward(
    x: torch.Tensor,
    h0: torch.Tensor,
    w_ih: torch.Tensor,
    w_hh: torch.Tensor,
    b_ih: torch.Tensor,
    b_hh: torch.Tensor,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Run the step along time; equals nn.RNN with batch_first=True.

    Args:
        x: (B, T, D), batch first.
        h0: (B, H), the state before the first step.
        w_ih, w_hh, b_ih, b_hh: as in ``rnn_step``.

    Returns:
        output: (B, T, H), the state after each step.
        h_n: (B, H), the state after the last one.
    """
    # TODO 2 of 3: a loop over time that keeps every state. About 6 lines.
    raise NotImplementedError("rnn_forward (TODO 2 of 3)")


def grad_norm_by_step(
    x: torch.Tensor,
    h0: torch.Tensor,
    w_ih: torch.Tensor,
    w_hh: torch.Tensor,
    b_ih: torch.Tensor,
    b_hh: torch.Tensor,
) -> torch.Tensor:
    """How strongly the last state still feels each input.

    Args:
        x: (B, T, D); it may or may not require gradients, and is left as is.
        h0, w_ih, w_hh, b_ih, b_hh: as in ``rnn_forward``.

    Returns:
        (B, T): for each sample and step the Euclidean norm of dL/dx[b, t],
        with L the sum of all entries of h_n.
    """
    # TODO 3 of 3: autograd on inputs of your own (detach, requires_grad_),
    # norms over D. About 4 lines.
    raise NotImplementedError("grad_norm_by_step (TODO 3 of 3)")
