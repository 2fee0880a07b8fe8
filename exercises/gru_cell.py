"""One GRU step by hand, in the course's form and in PyTorch's (day 4, 3.5).

Try it: make check EX=gru_cell

A GRU joins the forget and the input gate into one update gate z and keeps a
single state. Two conventions are in use, and they differ in two places:

    course    n = tanh(W_n x + U_n (r * h) + ...)   h' = (1 - z) * h + z * n
    PyTorch   n = tanh(W_n x + r * (U_n h + ...))   h' = z * h + (1 - z) * n

This exercise asks for the course's form. The first difference is a switch of
the function, the second one vanishes when the weights of z change sign.
Arguments stay as they are, results keep their dtype and pass on gradients.
"""

import torch


def gru_cell(
    x: torch.Tensor,
    h: torch.Tensor,
    w_ih: torch.Tensor,
    w_hh: torch.Tensor,
    b_ih: torch.Tensor,
    b_hh: torch.Tensor,
    reset_after: bool = False,
) -> torch.Tensor:
    """One step of a GRU in the course's form.

        r = sigmoid(W_r x + b_ir + U_r h + b_hr)
        z = sigmoid(W_z x + b_iz + U_z h + b_hz)
        n = tanh(W_n x + b_in + U_n (r * h) + b_hn)     reset_after=False
        n = tanh(W_n x + b_in + r * (U_n h + b_hn))     reset_after=True
        h' = (1 - z) * h + z * n                        in both cases

    Rows are stacked as in PyTorch: r, z, n, H rows each.

    Args:
        x: (B, D) input of this step.
        h: (B, H) state before it.
        w_ih: (3H, D), W_r, W_z, W_n.
        w_hh: (3H, H), U_r, U_z, U_n.
        b_ih: (3H,).
        b_hh: (3H,).
        reset_after: whether r acts after the product with U_n.

    Returns:
        (B, H), the state after this step.
    """
    # TODO 1 of 3: three blocks from each side; the candidate needs its parts
    # apart. About 9 lines.
    raise NotImplementedError("gru_cell (TODO 1 of 3)")


def from_pytorch(
    w_ih: torch.Tensor,
    w_hh: torch.Tensor,
    b_ih: torch.Tensor,
    b_hh: torch.Tensor,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Convert the weights of an nn.GRUCell to the course's convention of z.

    With the result, ``gru_cell(..., reset_after=True)`` equals the nn.GRUCell
    that the weights come from. Useful: 1 - sigmoid(a) = sigmoid(-a).

    Args:
        w_ih, w_hh, b_ih, b_hh: as in ``gru_cell``, for PyTorch's form.

    Returns:
        The four converted tensors, in the same order; the arguments stay as
        they are.
    """
    # TODO 2 of 3: which rows of all four change, and how? About 5 lines.
    raise NotImplementedError("from_pytorch (TODO 2 of 3)")


def gru_param_count(input_size: int, hidden_size: int) -> int:
    """How many numbers one GRU layer of nn.GRU learns (one direction).

    Args:
        input_size: D.
        hidden_size: H.

    Returns:
        The number of weights and biases (two of them, as above), an int.
    """
    # TODO 3 of 3: count the entries of w_ih, w_hh, b_ih and b_hh above. 1
    # line.
    raise NotImplementedError("gru_param_count (TODO 3 of 3)")
