"""Losses as 0-d tensors that hold their graphs."""

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence


def adding_batch(n, min_len, max_len):
    lengths = torch.randint(min_len, max_len + 1, (n,))
    x = torch.zeros(n, max_len, 2)
    real = torch.arange(max_len) < lengths.unsqueeze(1)
    x[..., 0] = torch.rand(n, max_len) * real
    half = lengths // 2
    first = (torch.rand(n) * half).long()
    second = half + (torch.rand(n) * (lengths - half)).long()
    rows = torch.arange(n)
    x[rows, first, 1] = 1.0
    x[rows, second, 1] = 1.0
    return x, lengths, (x[..., 0] * x[..., 1]).sum(1)


class Adder(nn.Module):
    def __init__(self, kind, hidden, forget_bias=None, packed=True):
        super().__init__()
        self.packed = packed
        self.rnn = getattr(nn, kind)(2, hidden, batch_first=True)
        self.head = nn.Linear(hidden, 1)
        if forget_bias is not None:
            with torch.no_grad():
                self.rnn.bias_ih_l0[hidden : 2 * hidden] = forget_bias
                self.rnn.bias_hh_l0[hidden : 2 * hidden] = 0.0

    def forward(self, x, lengths):
        if self.packed:
            x = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
        _, state = self.rnn(x)
        if isinstance(state, tuple):
            state = state[0]
        return self.head(state[-1]).squeeze(-1)


def adding_loss(answers, targets):
    if answers.shape != targets.shape:
        raise ValueError(f"{tuple(answers.shape)} and {tuple(targets.shape)}")
    return ((answers - targets) ** 2).mean()


def train(model, optimizer, batches, steps, max_norm=1.0, report=None, every=25):
    losses = []
    for step in range(1, steps + 1):
        x, lengths, targets = next(batches)
        loss = adding_loss(model(x, lengths), targets)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(loss)
        if report is not None and step % every == 0:
            report(step, steps, float(losses[-1]))
    return losses
