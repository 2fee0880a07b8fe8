"""Row by row: flip, one query at a time, counters for the shares."""

import math

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

PAD, BOS = 0, 1


def make_targets(task, source, lengths):
    rows = []
    for row, n in zip(source, lengths.tolist(), strict=True):
        own = row[:n].flip(0) if task == "reverse" else row[:n]
        rows.append(F.pad(own, (0, len(row) - n), value=PAD))
    return torch.stack(rows)


class Attention(nn.Module):
    def __init__(self, kind, Dq, Dk, Da, separate_kv=True):
        super().__init__()
        self.kind = kind
        self.W_query = nn.Linear(Dq, Da, bias=False)
        self.W_key = nn.Linear(Dk, Da, bias=False)
        self.v = nn.Linear(Da, 1, bias=False)
        self.W_value = nn.Linear(Dk, Dk, bias=False) if separate_kv else None

    def forward(self, queries, keys, mask):
        contexts, rows = [], []
        values = self.W_value(keys) if self.W_value else keys
        k = self.W_key(keys)
        for query in queries.unbind(1):
            q = self.W_query(query).unsqueeze(1)
            if self.kind == "additive":
                score = self.v((q + k).tanh())[..., 0]
            else:
                score = (q * k).sum(-1)
                if self.kind == "scaled":
                    score = score * k.shape[-1] ** -0.5
            w = score.masked_fill(mask, torch.finfo(score.dtype).min).softmax(1)
            contexts.append((w.unsqueeze(2) * values).sum(1))
            rows.append(w)
        return torch.stack(contexts, 1), torch.stack(rows, 1)


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
    hits = total = 0
    for matrix, n in zip(weights, lengths.tolist(), strict=True):
        for t in range(n):
            goal = t if task == "copy" else n - 1 - t
            hits += int(matrix[t].argmax()) == goal
            total += 1
    return hits / total


def accuracy_by_length(logits, targets, lengths):
    counts = {}
    guesses = logits.argmax(dim=-1).tolist()
    for guess, truth, n in zip(guesses, targets.tolist(), lengths.tolist(), strict=True):
        hits, total = counts.get(n, (0, 0))
        same = sum(a == b for a, b in zip(guess[:n], truth[:n], strict=True))
        counts[n] = (hits + same, total + n)
    return {n: hits / total for n, (hits, total) in counts.items()}


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
