"""Unusual: a class does the work; closures for the optimizer."""

import torch
from torch import nn


class Trainer:
    def __init__(self, model, criterion, optimizer, max_norm):
        self.model, self.criterion = model, criterion
        self.optimizer, self.max_norm = optimizer, max_norm
        self.hidden = None

    def step(self, x, y):
        state = detach_hidden(self.hidden)

        def closure():
            self.optimizer.zero_grad()
            output, self.hidden = self.model(x, state)
            loss = self.criterion(output, y)
            loss.backward()
            if self.max_norm is not None:
                nn.utils.clip_grad_norm_(self.model.parameters(), self.max_norm)
            return loss

        return self.optimizer.step(closure).item()


def detach_hidden(hidden):
    if hidden is None:
        return None
    if not isinstance(hidden, (tuple, list)):
        return hidden.detach().requires_grad_(False)
    return tuple(map(detach_hidden, hidden))


def train_truncated_bptt(
    model, inputs, targets, criterion, optimizer, chunk_len, max_norm=None
):
    if chunk_len < 1:
        raise ValueError("chunk_len has to be positive")
    trainer = Trainer(model, criterion, optimizer, max_norm)
    xs, ys = torch.split(inputs, chunk_len, 1), torch.split(targets, chunk_len, 1)
    print(f"{len(xs)} chunks")
    return [trainer.step(x, y) for x, y in zip(xs, ys)]
