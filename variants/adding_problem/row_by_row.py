"""Batches are drawn one row after the other with random, and clipping is written out."""

import random
from collections.abc import Callable, Iterator

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence

Batch = tuple[torch.Tensor, torch.Tensor, torch.Tensor]


def adding_batch(n: int, min_len: int, max_len: int) -> Batch:
    x = torch.zeros(n, max_len, 2)
    lengths, sums = [], []
    for row in x:
        length = random.randint(min_len, max_len)
        first = random.randrange(length // 2)
        second = random.randrange(length // 2, length)
        for t in range(length):
            row[t, 0] = random.random()
        row[first, 1] = row[second, 1] = 1
        lengths.append(length)
        sums.append(float(row[first, 0] + row[second, 0]))
    return x, torch.tensor(lengths), torch.tensor(sums)


class Adder(nn.Module):

    def __init__(
        self,
        kind: str,
        hidden: int,
        forget_bias: float | None = None,
        packed: bool = True,
    ):
        super().__init__()
        self.packed = packed
        self.rnn = getattr(nn, kind)(2, hidden, batch_first=True)
        self.head = nn.Linear(hidden, 1)
        if forget_bias is not None:
            with torch.no_grad():
                self.rnn.bias_ih_l0[hidden : 2 * hidden] = forget_bias
                self.rnn.bias_hh_l0[hidden : 2 * hidden] = 0.0

    def forward(self, x: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        if self.packed:
            x = pack_padded_sequence(
                x, lengths, batch_first=True, enforce_sorted=False
            )
        _, state = self.rnn(x)
        h_n = state[0] if isinstance(state, tuple) else state
        return self.head(h_n[-1]).squeeze(-1)  # (B, H) -> (B, 1) -> (B,)


def adding_loss(answers: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    if answers.shape != targets.shape:
        raise ValueError(f"shapes {answers.shape} and {targets.shape} differ")
    return (answers - targets).pow(2).mean()


def train(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    batches: Iterator[Batch],
    steps: int,
    max_norm: float = 1.0,
    report: Callable[[int, int, float], None] | None = None,
    every: int = 25,
) -> list[float]:
    losses = []
    for step in range(1, steps + 1):
        x, lengths, targets = next(batches)
        optimizer.zero_grad()
        loss = adding_loss(model(x, lengths), targets)
        loss.backward()
        grads = [p.grad for p in model.parameters() if p.grad is not None]
        norm = torch.stack([g.norm() for g in grads]).norm()
        if norm > max_norm:
            for g in grads:
                g.mul_(max_norm / norm)
        optimizer.step()
        losses.append(loss.item())
        if report is not None and step % every == 0:
            report(step, steps, losses[-1])
    return losses
