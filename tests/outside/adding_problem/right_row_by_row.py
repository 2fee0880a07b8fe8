"""Each row is drawn alone with torch.randint; the state is gathered, not packed."""

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence


def adding_batch(n, min_len, max_len):
    lengths = torch.randint(min_len, max_len + 1, (n,))
    rows, sums = [], []
    for length in lengths.tolist():
        row = torch.zeros(max_len, 2)
        row[:length, 0] = torch.rand(length)
        marks = [
            torch.randint(0, length // 2, ()).item(),
            torch.randint(length // 2, length, ()).item(),
        ]
        row[marks, 1] = 1
        rows.append(row)
        sums.append(row[marks, 0].sum())
    return torch.stack(rows), lengths, torch.stack(sums)


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
        output, _ = self.rnn(x)
        if self.packed:
            at = (lengths - 1).view(-1, 1, 1).expand(-1, 1, output.size(2))
            last = output.gather(1, at).squeeze(1)
        else:
            last = output[:, -1]
        return self.head(last)[:, 0]


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
        losses.append(loss.item())
        if report is not None and step % every == 0:
            report(step, steps, losses[-1])
    return losses
