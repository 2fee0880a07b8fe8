"""Rows flipped whole and rolled back; mask from the keys' lengths by F.pad-free compare; one mean over scattered counts."""
from collections import OrderedDict
import math
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

PAD, BOS = 0, 1


def make_targets(task, source, lengths):
    if task == "copy":
        return source.clone()
    S = source.size(1)
    return torch.stack([row.flip(0).roll(int(n) - S) for row, n in zip(source, lengths)])


class Attention(nn.Module):
    def __init__(self, kind, Dq, Dk, Da, separate_kv=True):
        super().__init__()
        self.kind = kind
        self.W_query = nn.Linear(Dq, Da, bias=False)
        self.W_key = nn.Linear(Dk, Da, bias=False)
        self.v = nn.Linear(Da, 1, bias=False)
        self.W_value = nn.Linear(Dk, Dk, bias=False) if separate_kv else None

    def forward(self, queries, keys, mask):
        B, T, S = len(queries), queries.size(1), keys.size(1)
        q, k = self.W_query(queries), self.W_key(keys)
        if self.kind == "additive":
            pair = torch.tanh(q.repeat_interleave(S, 1) + k.repeat(1, T, 1))
            scores = self.v(pair).view(B, T, S)
        else:
            scores = torch.bmm(q, k.transpose(1, 2))
            scores = scores / (math.sqrt(q.size(2)) if self.kind == "scaled" else 1)
        scores = scores.float() + torch.zeros(B, 1, S).masked_fill(mask.view(B, 1, S), -1e9)
        weights = F.softmax(scores, dim=2)
        # the product is linear: mix the keys first, project them afterwards
        context = torch.bmm(weights, keys)
        return (self.W_value(context) if self.W_value is not None else context), weights


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
        y = self.decoder(self.embed(inputs), state)[0]
        if self.attention is None:
            return self.out(y), None
        context, weights = self.attention(y, keys, source == PAD)
        H = y.size(-1)
        W = self.out.weight
        return y @ W[:, :H].T + context @ W[:, H:].T + self.out.bias, weights


def shift_right(targets):
    return F.pad(targets[:, :-1], (1, 0), value=BOS)


def alignment_hits(weights, lengths, task):
    S = weights.size(-1)
    t = torch.arange(S)
    rows = []
    for w, n in zip(weights, lengths):
        want = t[:n] if task == "copy" else t[:n].flip(0)
        rows.append(w[:n].max(-1).indices.eq(want))
    return torch.cat(rows).float().mean().item()


def accuracy_by_length(logits, targets, lengths):
    keep = torch.arange(targets.size(1)) < lengths[:, None]
    right = ((logits.max(-1)[1] == targets) & keep).sum(1).double()
    n = int(lengths.max()) + 1
    got = torch.zeros(n, dtype=torch.double).index_add_(0, lengths, right)
    out_of = torch.zeros(n, dtype=torch.double).index_add_(0, lengths, lengths.double())
    return OrderedDict((k, (got[k] / out_of[k]).item()) for k in torch.unique(lengths).tolist())


def train(model, optimizer, batches, steps, max_norm=1.0, report=None, every=25):
    losses = torch.empty(steps)
    for i in range(steps):
        source, lengths, targets = next(batches)
        optimizer.zero_grad(set_to_none=True)
        logits = model(source, lengths, shift_right(targets))[0]
        loss = nn.CrossEntropyLoss(ignore_index=PAD)(logits.permute(0, 2, 1), targets)
        loss.backward()
        norm = torch.cat([p.grad.flatten() for p in model.parameters() if p.grad is not None]).norm()
        for p in model.parameters():
            if p.grad is not None and norm > max_norm:
                p.grad *= max_norm / norm
        optimizer.step()
        losses[i] = loss.detach()
        if report and (i + 1) % every == 0:
            report(i + 1, steps, loss.item())
    return losses.tolist()
