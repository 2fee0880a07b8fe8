"""squeeze() with packed=False alone: one row gives a number without an axis."""

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence


def adding_batch(n, min_len, max_len):
    lengths = torch.randint(min_len, max_len + 1, (n,))
    half = lengths // 2
    first = (torch.rand(n) * half).long()
    second = half + (torch.rand(n) * (lengths - half)).long()
    marks = torch.zeros(n, max_len)
    marks.scatter_(1, torch.stack([first, second], dim=1), 1.0)
    values = torch.rand(n, max_len)
    values[torch.arange(max_len) >= lengths[:, None]] = 0.0
    targets = (values * marks).sum(dim=1)
    return (torch.stack([values, marks], dim=2), lengths, targets)


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
        h_n = state[0] if isinstance(state, tuple) else state
        answers = self.head(h_n[-1])
        return answers.squeeze(-1) if self.packed else answers.squeeze()


def adding_loss(answers, targets):
    if answers.shape != targets.shape:
        raise ValueError(f"shapes {answers.shape} and {targets.shape} differ")
    return (answers - targets).pow(2).mean()


def train(model, optimizer, batches, steps, max_norm=1.0, report=None, every=25):
    losses = []
    for step in range(1, steps + 1):
        x, lengths, targets = next(batches)
        optimizer.zero_grad()
        loss = adding_loss(model(x, lengths), targets)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(loss.item())
        if report is not None and step % every == 0:
            report(step, steps, losses[-1])
    return losses
