"""The batches are counted in a buffer; the layers stand in a ModuleDict as well."""
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence


def adding_batch(n, min_len, max_len):
    lengths = torch.randint(min_len, max_len + 1, (n,))
    t = torch.arange(max_len).repeat(n, 1)
    real, early = t < lengths[:, None], t < (lengths // 2)[:, None]
    values = torch.rand(n, max_len) * real
    marks = torch.zeros(n, max_len)
    for half in (early, real & ~early):
        marks.scatter_(1, torch.multinomial(half.float(), 1), 1.0)
    return torch.stack([values, marks], 2), lengths, torch.linalg.vecdot(values, marks)


class Adder(nn.Module):
    def __init__(self, kind, hidden, forget_bias=None, packed=True):
        super().__init__()
        self.packed = packed
        self.rnn = getattr(nn, kind)(2, hidden, batch_first=True)
        self.head = nn.Linear(hidden, 1)
        self.parts = nn.ModuleDict({"rnn": self.rnn, "head": self.head})
        self.register_buffer("seen", torch.zeros(()))
        if forget_bias is not None:
            with torch.no_grad():
                self.rnn.bias_ih_l0[hidden : 2 * hidden] = forget_bias
                self.rnn.bias_hh_l0[hidden : 2 * hidden] = 0.0

    def forward(self, x, lengths):
        self.seen += 1
        if self.packed:
            x = pack_padded_sequence(x, lengths, True, enforce_sorted=False)
        _, h = self.parts["rnn"](x)
        h = h[0] if isinstance(h, tuple) else h
        return self.parts["head"](h[-1])[:, 0]


def adding_loss(answers, targets):
    if answers.shape != targets.shape:
        raise ValueError("shapes")
    return F.mse_loss(answers, targets)


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
        if report and step % every == 0:
            report(step, steps, loss.item())
    return losses
