"""The scaled kind is not scaled."""

import math
from collections.abc import Callable, Iterator

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

PAD, BOS = 0, 1  # the tokens themselves are 2, 3, ...
Batch = tuple[torch.Tensor, torch.Tensor, torch.Tensor]


def make_targets(
    task: str, source: torch.Tensor, lengths: torch.Tensor
) -> torch.Tensor:
    if task == "copy":
        return source.clone()
    step = torch.arange(source.size(1))
    # (B, 1) - (S,) -> (B, S); past the length any step will do
    origin = (lengths[:, None] - 1 - step).clamp(min=0)
    return source.gather(1, origin).masked_fill(step >= lengths[:, None], PAD)


class Attention(nn.Module):

    def __init__(
        self,
        kind: str,
        query_dim: int,
        key_dim: int,
        attn_dim: int,
        separate_kv: bool = True,
    ):
        super().__init__()
        self.kind = kind
        self.W_query = nn.Linear(query_dim, attn_dim, bias=False)
        self.W_key = nn.Linear(key_dim, attn_dim, bias=False)
        self.v = nn.Linear(attn_dim, 1, bias=False)  # of the additive kind
        self.W_value = (
            nn.Linear(key_dim, key_dim, bias=False) if separate_kv else None
        )

    def forward(
        self, queries: torch.Tensor, keys: torch.Tensor, mask: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        q, k = self.W_query(queries), self.W_key(keys)
        if self.kind == "additive":
            # (B, T, 1, Da) + (B, 1, S, Da) -> (B, T, S)
            mixed = torch.tanh(q.unsqueeze(2) + k.unsqueeze(1))
            scores = self.v(mixed).squeeze(-1)
        else:
            scores = q @ k.transpose(1, 2)
        scores = scores.masked_fill(mask.unsqueeze(1), -1e9)
        weights = torch.softmax(scores, dim=-1)
        values = keys if self.W_value is None else self.W_value(keys)
        return weights @ values, weights


class Copier(nn.Module):

    def __init__(
        self,
        kind: str,
        vocab: int,
        embed: int,
        hidden: int,
        attn_dim: int = 32,
        separate_kv: bool = True,
    ):
        super().__init__()
        self.embed = nn.Embedding(vocab, embed, padding_idx=PAD)
        self.encoder = nn.LSTM(
            embed, hidden, batch_first=True, bidirectional=True
        )
        self.bridge = nn.Linear(2 * hidden, hidden)
        self.decoder = nn.LSTM(embed, hidden, batch_first=True)
        self.attention = None
        if kind != "none":
            self.attention = Attention(
                kind, hidden, 2 * hidden, attn_dim, separate_kv
            )
        self.out = nn.Linear(hidden if kind == "none" else 3 * hidden, vocab)

    def encode(
        self, source: torch.Tensor, lengths: torch.Tensor
    ) -> tuple[torch.Tensor, tuple[torch.Tensor, torch.Tensor]]:
        packed = pack_padded_sequence(
            self.embed(source), lengths, batch_first=True, enforce_sorted=False
        )
        output, (h_n, _) = self.encoder(packed)
        keys, _ = pad_packed_sequence(
            output, batch_first=True, total_length=source.size(1)
        )
        start = torch.tanh(self.bridge(torch.cat([h_n[0], h_n[1]], dim=-1)))
        return keys, (start.unsqueeze(0), torch.zeros_like(start)[None])

    def forward(
        self,
        source: torch.Tensor,
        lengths: torch.Tensor,
        inputs: torch.Tensor,
    ) -> tuple[torch.Tensor, torch.Tensor | None]:
        keys, state = self.encode(source, lengths)
        states, _ = self.decoder(self.embed(inputs), state)
        if self.attention is None:
            return self.out(states), None
        mask = torch.arange(source.size(1)) >= lengths[:, None]
        context, weights = self.attention(states, keys, mask)
        return self.out(torch.cat([states, context], dim=-1)), weights


def shift_right(targets: torch.Tensor) -> torch.Tensor:
    return torch.cat(
        [torch.full_like(targets[:, :1], BOS), targets[:, :-1]], dim=1
    )


def alignment_hits(
    weights: torch.Tensor, lengths: torch.Tensor, task: str
) -> float:
    step = torch.arange(weights.size(1))
    backwards = lengths[:, None] - 1 - step
    wanted = step.expand_as(backwards) if task == "copy" else backwards
    hit = weights.argmax(dim=-1) == wanted
    return hit[step < lengths[:, None]].float().mean().item()


def accuracy_by_length(
    logits: torch.Tensor, targets: torch.Tensor, lengths: torch.Tensor
) -> dict[int, float]:
    right = logits.argmax(dim=-1) == targets
    found = {}
    for length in sorted(set(lengths.tolist())):
        rows = lengths == length
        found[length] = right[rows][:, :length].float().mean().item()
    return found


def train(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    batches: Iterator[Batch],
    steps: int,
    max_norm: float = 1.0,
    report: Callable[[int, int, float], None] | None = None,
    every: int = 25,
) -> list[float]:
    losses = []
    for step in range(1, steps + 1):
        source, lengths, targets = next(batches)
        optimizer.zero_grad()
        logits, _ = model(source, lengths, shift_right(targets))
        loss = F.cross_entropy(
            logits.flatten(0, 1), targets.flatten(), ignore_index=PAD
        )
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(loss.item())
        if report is not None and step % every == 0:
            report(step, steps, losses[-1])
    return losses
