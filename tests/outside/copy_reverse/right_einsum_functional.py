"""einsum, F.linear on the weights, one gather for both tasks."""

import math

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

PAD, BOS = 0, 1


def make_targets(task, source, lengths):
    steps = torch.arange(source.size(1)).expand_as(source)
    real = steps < lengths[:, None]
    index = lengths[:, None] - 1 - steps if task == "reverse" else steps
    return source.gather(1, index.clamp(min=0)) * real


class Attention(nn.Module):
    def __init__(self, kind, Dq, Dk, Da, separate_kv=True):
        super().__init__()
        self.kind = kind
        self.W_query = nn.Linear(Dq, Da, bias=False)
        self.W_key = nn.Linear(Dk, Da, bias=False)
        self.v = nn.Linear(Da, 1, bias=False)
        self.W_value = nn.Linear(Dk, Dk, bias=False) if separate_kv else None

    def forward(self, queries, keys, mask):
        q = torch.einsum("btd,ad->bta", queries, self.W_query.weight)
        k = torch.einsum("bsd,ad->bsa", keys, self.W_key.weight)
        if self.kind == "additive":
            both = (q[:, :, None] + k[:, None]).tanh()
            scores = torch.einsum("btsa,a->bts", both, self.v.weight[0])
        else:
            root = {"dot": 1.0, "scaled": k.size(2) ** 0.5}[self.kind]
            scores = torch.einsum("bta,bsa->bts", q, k) / root
        weights = scores.where(~mask[:, None, :], -1e9).softmax(dim=2)
        if self.W_value is None:
            return torch.einsum("bts,bsd->btd", weights, keys), weights
        read = torch.einsum("bts,bsd->btd", weights, keys)
        return F.linear(read, self.W_value.weight), weights


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
        return keys, (start.unsqueeze(0), torch.zeros_like(start)[None])

    def forward(self, source, lengths, inputs):
        keys, state = self.encode(source, lengths)
        states, _ = self.decoder(self.embed(inputs), state)
        if self.attention is None:
            return self.out(states), None
        mask = torch.arange(source.size(1)) >= lengths.unsqueeze(1)
        context, weights = self.attention(states, keys, mask)
        return self.out(torch.cat([states, context], dim=-1)), weights


def shift_right(targets):
    return F.pad(targets[:, :-1], (1, 0), value=BOS)


def alignment_hits(weights, lengths, task):
    steps = torch.arange(weights.size(1))
    real = steps < lengths.unsqueeze(1)
    goal = steps.expand_as(real)
    if task == "reverse":
        goal = lengths.unsqueeze(1) - 1 - steps
    return (weights.argmax(-1) == goal)[real].float().mean().item()


def accuracy_by_length(logits, targets, lengths):
    real = torch.arange(targets.size(1)) < lengths.unsqueeze(1)
    right = logits.max(dim=-1).indices.eq(targets) & real
    by_row = right.sum(1)
    return {
        int(n): float(by_row[lengths == n].sum() / (n * (lengths == n).sum()))
        for n in lengths.unique()
    }


def train(model, optimizer, batches, steps, max_norm=1.0, report=None, every=25):
    losses = []
    for step in range(1, steps + 1):
        source, lengths, targets = next(batches)
        logits, _ = model(source, lengths, shift_right(targets))
        loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=PAD)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(loss.item())
        if report is not None and step % every == 0:
            report(step, steps, losses[-1])
    return losses
