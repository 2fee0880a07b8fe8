"""Forget gate bias (day 4, 3.4 and A.1).

Try it: make check EX=forget_bias

At the start of training a forget gate with bias 0 is half open, and what the
cell holds halves at every step. With a bias of 1 or 2 the gate starts near
"keep", so that gradients reach far back from the first step on.
"""

import torch
from torch import nn


def init_forget_bias(lstm: nn.LSTM, value: float = 1.0) -> None:
    """Make ``value`` the bias that every forget gate of ``lstm`` sees.

    Gate f of a layer computes, with H = lstm.hidden_size,

        f = sigmoid(W_if x + b_if + W_hf h + b_hf)

    so the bias it sees is the sum of its parts in two vectors. PyTorch stores
    each vector with the four gates one after the other, in the order i, f, g,
    o: bias_ih_l0 (4*H,) and bias_hh_l0 (4*H,) for layer 0, with the ending
    _l0_reverse for its backward direction, and so on.

    The work is done in place, in every layer and direction; all else stays as
    it is: the other gates, the weights, and the Parameter objects themselves,
    which an optimizer may already hold and which still need a gradient.
    Calling twice is the same as calling once.

    Args:
        lstm: an nn.LSTM with biases: any number of layers, one direction or
            two, with proj_size or without.
        value: what the sum of both biases of the forget gate becomes.
    """
    # TODO 1 of 1: find the slice of the forget gate in every bias vector and
    # set it, outside the graph. About 6 lines.
    raise NotImplementedError("init_forget_bias (TODO 1 of 1)")
