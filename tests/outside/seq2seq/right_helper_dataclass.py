"""A dataclass holds each sample's writing; the GRU is called through packed data."""

from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.rnn import pack_sequence


@dataclass
class Writing:
    eos: int
    ids: list[int] = field(default_factory=list)

    @property
    def ended(self):
        return bool(self.ids) and self.ids[-1] == self.eos

    def add(self, token):
        if not self.ended:
            self.ids.append(token)


def shift_right(targets, bos):
    index = torch.arange(-1, targets.size(1) - 1)
    shifted = targets[:, index.clamp(min=0)]
    return torch.where(index < 0, bos, shifted)


def sequence_loss(logits, targets, pad):
    b, t, v = logits.shape
    flat = logits.reshape(b * t, v)
    losses = F.cross_entropy(flat, targets.reshape(b * t), reduction="none")
    return torch.masked_select(losses, targets.reshape(-1).ne(pad)).mean()


class Seq2Seq(nn.Module):
    def __init__(self, vocab_size, embed_dim, hidden):
        super().__init__()
        self.embed = nn.Embedding(vocab_size, embed_dim)
        self.encoder = nn.GRU(embed_dim, hidden, batch_first=True)
        self.decoder = nn.GRU(embed_dim, hidden, batch_first=True)
        self.out = nn.Linear(hidden, vocab_size)

    def encode(self, source, lengths):
        rows = [self.embed(row[: int(n)]) for row, n in zip(source, lengths, strict=True)]
        return self.encoder(pack_sequence(rows, enforce_sorted=False))[1]

    def decode(self, inputs, state):
        h, state = self.decoder(self.embed(inputs), state)
        return F.linear(h, self.out.weight, self.out.bias), state

    def forward(self, source, lengths, targets, bos):
        logits, _ = self.decode(shift_right(targets, bos), self.encode(source, lengths))
        return logits

    @torch.no_grad()
    def greedy(self, source, lengths, bos, eos, max_len):
        state = self.encode(source, lengths)
        token = torch.full((len(source),), bos)
        texts = [Writing(eos) for _ in range(len(source))]
        for _ in range(max_len):
            logits, state = self.decode(token[:, None], state)
            token = torch.topk(logits[:, 0], 1).indices[:, 0]
            for text, chosen in zip(texts, token.tolist(), strict=True):
                text.add(chosen)
            if all(text.ended for text in texts):
                break
        return [text.ids for text in texts]
