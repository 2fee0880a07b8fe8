"""Lab: the adding problem (day 4, 3.4, A.2 and the practice in B).

Try it: make check EX=adding_problem

Two numbers of a long row are marked, and at its end their sum is asked for. So
the first of them has to be carried over all the steps between: what a plain
RNN cannot learn and a gate that stays open can. Always answering 1, the mean
of all sums, costs a mean squared error of 1/6: less than that is learning.
"""

from collections.abc import Callable, Iterator

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence

Batch = tuple[torch.Tensor, torch.Tensor, torch.Tensor]


def adding_batch(n: int, min_len: int, max_len: int) -> Batch:
    """Draw n rows of the task from torch's own generator.

    Row b is lengths[b] steps long. Its first mark stands at one of the steps
    0 .. lengths[b] // 2 - 1, its second at one of the rest.

    Returns:
        x: (n, max_len, 2) float32; x[..., 0] are values, uniform in [0, 1),
            x[..., 1] is 1 at the two marks and 0 elsewhere. Both are 0 past
            each length.
        lengths: (n,) int64, uniform in min_len .. max_len.
        targets: (n,) float32, the sum of the two marked values.
    """
    # TODO 1 of 4: lengths, values, one mark in each half of every row's own
    # length, sums. About 11 lines.
    raise NotImplementedError("adding_batch (TODO 1 of 4)")


class Adder(nn.Module):
    """A recurrent layer ``rnn`` and a linear layer ``head`` on one state.

    Args of the class:
        kind, hidden: "RNN", "LSTM" or "GRU", and its size H.
        forget_bias: what an LSTM's forget gates see at first (None: as drawn).
        packed: whether padding is kept from the layer.
    """

    def __init__(
        self,
        kind: str,
        hidden: int,
        forget_bias: float | None = None,
        packed: bool = True,
    ):
        """Make the layers (given)."""
        super().__init__()
        self.packed = packed
        self.rnn = getattr(nn, kind)(2, hidden, batch_first=True)
        self.head = nn.Linear(hidden, 1)
        if forget_bias is not None:
            with torch.no_grad():
                self.rnn.bias_ih_l0[hidden : 2 * hidden] = forget_bias
                self.rnn.bias_hh_l0[hidden : 2 * hidden] = 0.0

    def forward(self, x: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """Answers (B,) for x (B, T, 2) and lengths (B,), in any order.

        The head reads the hidden state after each row's last real step; with
        ``packed=False`` it reads the one after step T, padding and all.
        """
        # TODO 2 of 4: run the layer, take the state that is asked for, map it
        # to one number a row. About 9 lines.
        raise NotImplementedError("Adder.forward (TODO 2 of 4)")


def adding_loss(answers: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """Mean squared error of (B,) answers, a 0-d tensor.

    Raises:
        ValueError: the shapes differ. (B,) minus (B, 1) would be (B, B).
    """
    # TODO 3 of 4: refuse shapes that differ, then the mean of the squares.
    # About 3 lines.
    raise NotImplementedError("adding_loss (TODO 3 of 4)")


def train(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    batches: Iterator[Batch],
    steps: int,
    max_norm: float = 1.0,
    report: Callable[[int, int, float], None] | None = None,
    every: int = 25,
) -> list[float]:
    """Train for some steps, a new batch for each.

    The gradient's global norm is clipped to ``max_norm`` before each step of
    the optimizer. ``report(step, steps, loss)`` is called after every
    ``every``-th step, counted from 1.

    Returns:
        The loss of each step, before it was taken, as floats.
    """
    # TODO 4 of 4: the five lines of any training loop, clipping among them,
    # and the report. About 12 lines.
    raise NotImplementedError("train (TODO 4 of 4)")


def main() -> None:
    """Train a GRU on your own batches: python adding_problem.py (given)."""
    torch.manual_seed(0)
    model = Adder("GRU", 16)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    batches = iter(lambda: adding_batch(32, 25, 50), None)
    train(model, optimizer, batches, 300, report=print)


if __name__ == "__main__":
    main()
