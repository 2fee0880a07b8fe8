"""What really carries an LSTM's gradient (day 4, 3.4).

Try it: make check EX=lstm_jacobian

Textbooks say dc_t/dc_{t-1} = f_t, so dc_T/dc_0 is a product of forget gates.
That is one path only: c_{t-1} also reaches step t through
h_{t-1} = o * tanh(c_{t-1}), which feeds every gate, the next output gate
included. The whole Jacobian counts all these paths. Work out both and compare
them with a plain RNN, whose step diag(1 - h^2) W has no such direct part.
Weights lie as in PyTorch, gates stacked i, f, g, o. Arguments stay as they
are, and results keep their dtype.
"""

import torch
from torch.autograd.functional import jacobian


def lstm_run(
    x: torch.Tensor,
    h0: torch.Tensor,
    c0: torch.Tensor,
    w_ih: torch.Tensor,
    w_hh: torch.Tensor,
    bias: torch.Tensor,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Run one sequence through an LSTM and keep its forget gates.

    Args:
        x: (T, D), one sequence, no batch.
        h0: (H,) hidden state at the start.
        c0: (H,) cell state at the start.
        w_ih: (4H, D).
        w_hh: (4H, H).
        bias: (4H,), the sum of PyTorch's two biases.

    Returns:
        c_n: (H,), the last cell state.
        forget: (T, H), f_1 to f_T after the sigmoid, in (0, 1).
    """
    # BEGIN SOLUTION lstm_run (TODO 1 of 4): the step of lstm_cell in a loop over the rows of x. About 8 lines.
    h, c, forget = h0, c0, []
    for row in x:
        i, f, g, o = (w_ih @ row + w_hh @ h + bias).chunk(4)
        f = torch.sigmoid(f)
        c = f * c + torch.sigmoid(i) * torch.tanh(g)
        h = torch.sigmoid(o) * torch.tanh(c)
        forget.append(f)
    return c, torch.stack(forget)
    # END SOLUTION


def full_jacobian(
    x: torch.Tensor,
    h0: torch.Tensor,
    c0: torch.Tensor,
    w_ih: torch.Tensor,
    w_hh: torch.Tensor,
    bias: torch.Tensor,
) -> torch.Tensor:
    """dc_T/dc_0 along *all* paths, h_0 held fixed.

    Args:
        x, h0, c0, w_ih, w_hh, bias: as in ``lstm_run``.

    Returns:
        (H, H): entry (i, j) is d c_T[i] / d c_0[j].
    """

    # BEGIN SOLUTION full_jacobian (TODO 2 of 4): c_T as a function of c_0 alone, and autograd's jacobian of it. About 3 lines.
    def last_cell(start: torch.Tensor) -> torch.Tensor:
        return lstm_run(x, h0, start, w_ih, w_hh, bias)[0]

    return jacobian(last_cell, c0.detach())
    # END SOLUTION


def direct_path(forget: torch.Tensor) -> torch.Tensor:
    """The share of the direct path in dc_T/dc_0: the product of the gates.

    Args:
        forget: (T, H), f_1 to f_T.

    Returns:
        (H,), the diagonal of that share.
    """
    # BEGIN SOLUTION direct_path (TODO 3 of 4): one product along time. 1 line.
    return forget.prod(dim=0)
    # END SOLUTION


def rnn_jacobian(
    x: torch.Tensor,
    h0: torch.Tensor,
    w_ih: torch.Tensor,
    w_hh: torch.Tensor,
    bias: torch.Tensor,
) -> torch.Tensor:
    """dh_T/dh_0 of the plain RNN h = tanh(W_ih x + W_hh h + bias).

    Args:
        x: (T, D).
        h0: (H,).
        w_ih: (H, D).
        w_hh: (H, H).
        bias: (H,).

    Returns:
        (H, H): entry (i, j) is d h_T[i] / d h_0[j].
    """
    # BEGIN SOLUTION rnn_jacobian (TODO 4 of 4): as bptt_jacobian's product, or autograd as above. About 5 lines.
    h, product = h0, torch.eye(len(h0), dtype=h0.dtype)
    for row in x:
        h = torch.tanh(w_ih @ row + w_hh @ h + bias)
        product = (1 - h**2).unsqueeze(1) * w_hh @ product
    return product
    # END SOLUTION
