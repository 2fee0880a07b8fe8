"""Gradients are brought to max_norm, the short ones too."""

import math
from collections.abc import Callable, Iterator
import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

PAD, BOS = (0, 1)
Batch = tuple[Tensor, Tensor, Tensor]


def make_targets(task, source, lengths):
    if task == "copy":
        return source.clone()
    step = torch.arange(source.size(1))
    origin = (lengths[:, None] - 1 - step).clamp(min=0)
    return source.gather(1, origin).masked_fill(step >= lengths[:, None], PAD)


class Attention(nn.Module):
    def __init__(self, kind, Dq, Dk, Da, separate_kv=True):
        super().__init__()
        self.kind = kind
        self.W_query = nn.Linear(Dq, Da, bias=False)
        self.W_key = nn.Linear(Dk, Da, bias=False)
        self.v = nn.Linear(Da, 1, bias=False)
        self.W_value = nn.Linear(Dk, Dk, bias=False) if separate_kv else None

    def forward(self, queries, keys, mask):
        q, k = (self.W_query(queries), self.W_key(keys))
        if self.kind == "additive":
            mixed = torch.tanh(q.unsqueeze(2) + k.unsqueeze(1))
            scores = self.v(mixed).squeeze(-1)
        else:
            scores = q @ k.transpose(1, 2)
        if self.kind == "scaled":
            scores = scores / math.sqrt(q.size(-1))
        scores = scores.masked_fill(mask.unsqueeze(1), -1000000000.0)
        weights = torch.softmax(scores, dim=-1)
        values = keys if self.W_value is None else self.W_value(keys)
        return (weights @ values, weights)


class Copier(nn.Module):
    def __init__(self, kind, vocab, embed, hidden, attn_dim=32):
        super().__init__()
        self.embed = nn.Embedding(vocab, embed, padding_idx=PAD)
        self.encoder = nn.LSTM(embed, hidden, batch_first=True, bidirectional=True)
        self.bridge = nn.Linear(2 * hidden, hidden)
        self.decoder = nn.LSTM(embed, hidden, batch_first=True)
        self.attention = None
        if kind != "none":
            self.attention = Attention(kind, hidden, 2 * hidden, attn_dim)
        self.out = nn.Linear(hidden if kind == "none" else 3 * hidden, vocab)

    def encode(self, source, lengths):
        packed = pack_padded_sequence(
            self.embed(source), lengths, batch_first=True, enforce_sorted=False
        )
        output, (h_n, _) = self.encoder(packed)
        keys, _ = pad_packed_sequence(
            output, batch_first=True, total_length=source.size(1)
        )
        start = torch.tanh(self.bridge(torch.cat([h_n[0], h_n[1]], dim=-1)))
        return (keys, (start.unsqueeze(0), torch.zeros_like(start)[None]))

    def forward(self, source, lengths, inputs):
        keys, state = self.encode(source, lengths)
        states, _ = self.decoder(self.embed(inputs), state)
        if self.attention is None:
            return (self.out(states), None)
        mask = torch.arange(source.size(1)) >= lengths[:, None]
        context, weights = self.attention(states, keys, mask)
        return (self.out(torch.cat([states, context], dim=-1)), weights)


def shift_right(targets):
    return F.pad(targets[:, :-1], (1, 0), value=BOS)


def alignment_hits(weights, lengths, task):
    step = torch.arange(weights.size(1))
    backwards = lengths[:, None] - 1 - step
    wanted = step.expand_as(backwards) if task == "copy" else backwards
    hit = weights.argmax(dim=-1) == wanted
    return hit[step < lengths[:, None]].float().mean().item()


def accuracy_by_length(logits, targets, lengths):
    right = logits.argmax(dim=-1) == targets
    found = {}
    for length in sorted(set(lengths.tolist())):
        rows = lengths == length
        found[length] = right[rows][:, :length].float().mean().item()
    return found


def train(model, optimizer, batches, steps, max_norm=1.0, report=None, every=25):
    losses = []
    for step in range(1, steps + 1):
        source, lengths, targets = next(batches)
        optimizer.zero_grad()
        logits, _ = model(source, lengths, shift_right(targets))
        loss = F.cross_entropy(
            logits.flatten(0, 1), targets.flatten(), ignore_index=PAD
        )
        loss.backward()
        n = torch.stack(
            [p.grad.norm() for p in model.parameters() if p.grad is not None]
        ).norm()
        for p in model.parameters():
            if p.grad is not None:
                p.grad *= max_norm / n
        optimizer.step()
        losses.append(loss.item())
        if report is not None and step % every == 0:
            report(step, steps, losses[-1])
    return losses
