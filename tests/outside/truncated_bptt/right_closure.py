"""optimizer.step(closure): forward and backward live inside the closure."""
import torch
from torch import nn


class TruncatedTrainer:
    """Holds the state between the chunks."""

    def __init__(self, model, criterion, optimizer, max_norm):
        self.model = model
        self.criterion = criterion
        self.optimizer = optimizer
        self.max_norm = max_norm
        self.hidden = None

    def one_chunk(self, x, y):
        found = {}

        def closure():
            self.optimizer.zero_grad()
            out, found["hidden"] = self.model(x, self.hidden)
            loss = self.criterion(out, y)
            loss.backward()
            if self.max_norm is not None:
                groups = self.optimizer.param_groups
                params = [p for g in groups for p in g["params"]]
                nn.utils.clip_grad_norm_(params, max_norm=self.max_norm)
            return loss

        loss = self.optimizer.step(closure)
        self.hidden = detach_hidden(found["hidden"])
        return float(loss)


def detach_hidden(hidden):
    if torch.is_tensor(hidden):
        return hidden.detach().clone()
    if hidden is None:
        return hidden
    return [detach_hidden(h) for h in hidden]


def train_truncated_bptt(
    model, inputs, targets, criterion, optimizer, chunk_len, max_norm=None
):
    if not chunk_len >= 1:
        raise ValueError("a chunk has at least one step")
    trainer = TruncatedTrainer(model, criterion, optimizer, max_norm)
    T = inputs.shape[1]
    starts = range(0, T, chunk_len)
    return [
        trainer.one_chunk(inputs[:, s : s + chunk_len], targets[:, s : s + chunk_len])
        for s in starts
    ]
