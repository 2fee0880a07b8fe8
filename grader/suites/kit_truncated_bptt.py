"""Runs in the worker: models, criteria and optimizers for truncated_bptt."""

import torch
from torch import nn


class Net(nn.Module):
    """One recurrent layer and a linear head: (x, hidden) -> (output, hidden)."""

    def __init__(self, kind: str, D: int, H: int, V: int, dtype: torch.dtype) -> None:
        super().__init__()
        layer = {"LSTM": nn.LSTM, "GRU": nn.GRU, "RNN": nn.RNN}[kind]
        self.rnn = layer(D, H, batch_first=True, dtype=dtype)
        self.head = nn.Linear(H, V, dtype=dtype)

    def forward(self, x, hidden=None):
        """Output (B, T, V) for x (B, T, D), and the state after it."""
        output, hidden = self.rnn(x, hidden)
        return self.head(output), hidden


class Stack(nn.Module):
    """An LSTM on a GRU; the state is a tuple of a tensor and a tuple.

    What is added to the output is 0 in training, where all of it is dropped.
    """

    def __init__(self, D: int, H: int, V: int, dtype: torch.dtype) -> None:
        super().__init__()
        self.low = nn.GRU(D, H, batch_first=True, dtype=dtype)
        self.high = nn.LSTM(H, V, batch_first=True, dtype=dtype)
        self.drop = nn.Dropout(1.0)

    def forward(self, x, hidden=None):
        """Output (B, T, V) for x (B, T, D), and the state after it."""
        low, high = (None, None) if hidden is None else hidden
        output, low = self.low(x, low)
        output, high = self.high(output, high)
        return output + self.drop(output), (low, high)


class Leaky(nn.Module):
    """A leaky sum of inputs and a drift: no step changes what its graph keeps.

    So a backward that reaches too far back gives wrong numbers, not an error,
    where a graph was kept alive.
    """

    def __init__(self, D: int, dtype: torch.dtype) -> None:
        super().__init__()
        self.drift = nn.Parameter(torch.zeros(D, dtype=dtype))
        self.register_buffer("keep", torch.full((D,), 0.8, dtype=dtype), False)

    def forward(self, x, hidden=None):
        """Sums up to each step, (B, T, D), and the last of them."""
        state = torch.zeros_like(x[:, 0]) if hidden is None else hidden
        outputs = []
        for t in range(x.size(1)):
            state = self.keep * state + self.drift + x[:, t]
            outputs.append(state)
        return torch.stack(outputs, 1), state


class TokenLoss(nn.Module):
    """Cross-entropy of (B, T, V) scores against (B, T) classes."""

    def forward(self, output, targets):
        """The mean over all steps, a 0-d tensor."""
        return nn.functional.cross_entropy(output.flatten(0, 1), targets.flatten())


def sgd(model: nn.Module, lr: float, momentum: float = 0.0) -> torch.optim.SGD:
    """Gradient descent on the parameters of ``model``."""
    return torch.optim.SGD(model.parameters(), lr=lr, momentum=momentum)


def sgd_in_groups(model: nn.Module, lr: float, momentum: float) -> torch.optim.SGD:
    """The same as ``sgd``, with a group of its own for each parameter."""
    groups = [{"params": [p]} for p in model.parameters()]
    return torch.optim.SGD(groups, lr=lr, momentum=momentum)


def adam(model: nn.Module, lr: float) -> torch.optim.Adam:
    """Adam on the parameters of ``model``."""
    return torch.optim.Adam(model.parameters(), lr=lr)
