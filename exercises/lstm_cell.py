"""One LSTM step by hand (day 4, 3.2 and 3.3).

Try it: make check EX=lstm_cell

The cell state c is updated by adding instead of overwriting, so gradients
have a path along it that no weight matrix multiplies. Three gates, numbers
in (0, 1), say how much of the old to keep (f), how much new content to write
(i) and how much of the cell to show (o). Write the step yourself, without
nn.LSTM or nn.LSTMCell; its layout is PyTorch's.
Arguments stay as they are, results keep their dtype, and a step passes
gradients on to all its arguments.
"""

import torch


def lstm_cell(
    x: torch.Tensor,
    h: torch.Tensor,
    c: torch.Tensor,
    w_ih: torch.Tensor,
    w_hh: torch.Tensor,
    b_ih: torch.Tensor,
    b_hh: torch.Tensor,
) -> tuple[torch.Tensor, torch.Tensor]:
    """One step; equals nn.LSTMCell with the same weights.

        i, f, g, o = the four blocks of W_ih x + b_ih + W_hh h + b_hh
        c' = sigmoid(f) * c + sigmoid(i) * tanh(g)
        h' = sigmoid(o) * tanh(c')

    The rows of the weights and biases are stacked in the order i, f, g, o
    (input gate, forget gate, candidate, output gate), H rows each.

    Args:
        x: (B, D) input of this step.
        h: (B, H) hidden state before it.
        c: (B, H) cell state before it.
        w_ih: (4H, D).
        w_hh: (4H, H).
        b_ih: (4H,).
        b_hh: (4H,).

    Returns:
        (h', c'), each (B, H), in this order.
    """
    # TODO 1 of 2: all four blocks with two products, cut them apart, then the
    # formulas. About 4 lines.
    raise NotImplementedError("lstm_cell (TODO 1 of 2)")


def lstm_param_count(input_size: int, hidden_size: int) -> int:
    """How many numbers one LSTM layer of nn.LSTM learns (one direction).

    PyTorch keeps two biases, one for the input and one for the state.

    Args:
        input_size: D.
        hidden_size: H.

    Returns:
        The number of weights and biases, an int.
    """
    # TODO 2 of 2: count the entries of w_ih, w_hh, b_ih and b_hh above. 1
    # line.
    raise NotImplementedError("lstm_param_count (TODO 2 of 2)")
