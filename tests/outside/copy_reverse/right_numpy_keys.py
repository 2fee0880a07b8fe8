"""Lengths by np.unique are the keys; shares are numpy floats."""
import math

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

PAD, BOS = 0, 1


def make_targets(task, source, lengths):
    out = np.zeros_like(source.numpy())
    for b, (row, n) in enumerate(zip(source.numpy(), lengths.numpy())):
        out[b, :n] = row[:n] if task == "copy" else row[:n][::-1]
    return torch.from_numpy(out)


class Attention(nn.Module):
    def __init__(self, kind, Dq, Dk, Da, separate_kv=True):
        super().__init__()
        self.kind = kind
        self.W_query = nn.Linear(Dq, Da, bias=False)
        self.W_key = nn.Linear(Dk, Da, bias=False)
        self.v = nn.Linear(Da, 1, bias=False)
        self.W_value = nn.Linear(Dk, Dk, bias=False) if separate_kv else None

    def forward(self, queries, keys, mask):
        q, k = self.W_query(queries), self.W_key(keys)
        if self.kind == "additive":
            s = self.v(torch.tanh(q.unsqueeze(2) + k.unsqueeze(1)))[..., 0]
        else:
            s = torch.matmul(q, k.transpose(1, 2))
            if self.kind == "scaled":
                s = s * q.size(-1) ** -0.5
        s = s - 1e9 * mask[:, None].to(s.dtype)
        w = torch.exp(s - s.amax(-1, keepdim=True))
        w = w / w.sum(-1, keepdim=True)
        return torch.matmul(w, self.W_value(keys) if self.W_value else keys), w


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
        packed = pack_padded_sequence(self.embed(source), lengths, batch_first=True, enforce_sorted=False)
        output, (h_n, _) = self.encoder(packed)
        keys, _ = pad_packed_sequence(output, batch_first=True, total_length=source.size(1))
        start = torch.tanh(self.bridge(torch.cat([h_n[0], h_n[1]], dim=-1)))
        return keys, (start.unsqueeze(0), torch.zeros_like(start)[None])

    def forward(self, source, lengths, inputs):
        keys, state = self.encode(source, lengths)
        y, _ = self.decoder(self.embed(inputs), state)
        if not self.attention:
            return [self.out(y), None]
        mask = torch.arange(keys.size(1)).unsqueeze(0) >= lengths.unsqueeze(1)
        c, w = self.attention(y, keys, mask)
        return [self.out(torch.cat([y, c], dim=-1)), w]


def shift_right(targets):
    return F.pad(targets[:, :-1], (1, 0), value=BOS)


def alignment_hits(weights, lengths, task):
    top = weights.detach().numpy().argmax(-1)
    hits = []
    for row, n in zip(top, lengths.numpy()):
        want = np.arange(n)
        hits += list(row[:n] == (want if task == "copy" else want[::-1]))
    return np.mean(hits)


def accuracy_by_length(logits, targets, lengths):
    right = (logits.argmax(-1) == targets).numpy()
    n = lengths.numpy()
    return {k: right[n == k, :k].mean() for k in np.unique(n)}


def train(model, optimizer, batches, steps, max_norm=1.0, report=None, every=25):
    losses = []
    for step in range(1, steps + 1):
        source, lengths, targets = next(batches)
        logits, _ = model(source, lengths, shift_right(targets))
        real = targets.ne(PAD)
        loss = F.cross_entropy(logits[real], targets[real])
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(loss.item())
        if report and step % every == 0:
            report(step, steps, losses[-1])
    return losses
