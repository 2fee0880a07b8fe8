"""forward begins with id 1, whatever bos is."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence


def shift_right(targets, bos):
    first = torch.full_like(targets[:, :1], bos)
    return torch.cat([first, targets[:, :-1]], dim=1)


def sequence_loss(logits, targets, pad):
    flat = logits.flatten(0, 1)
    return F.cross_entropy(flat, targets.flatten(), ignore_index=pad)


class Seq2Seq(nn.Module):
    def __init__(self, vocab_size, embed_dim, hidden):
        super().__init__()
        self.embed = nn.Embedding(vocab_size, embed_dim)
        self.encoder = nn.GRU(embed_dim, hidden, batch_first=True)
        self.decoder = nn.GRU(embed_dim, hidden, batch_first=True)
        self.out = nn.Linear(hidden, vocab_size)

    def encode(self, source, lengths):
        packed = pack_padded_sequence(
            self.embed(source), lengths, batch_first=True, enforce_sorted=False
        )
        return self.encoder(packed)[1]

    def decode(self, inputs, state):
        output, state = self.decoder(self.embed(inputs), state)
        return (self.out(output), state)

    def forward(self, source, lengths, targets, bos):
        inputs = shift_right(targets, 1)
        return self.decode(inputs, self.encode(source, lengths))[0]

    @torch.no_grad()
    def greedy(self, source, lengths, bos, eos, max_len):
        state = self.encode(source, lengths)
        token = torch.full_like(source[:, :1], bos)
        steps = []
        for _ in range(max_len):
            logits, state = self.decode(token, state)
            token = logits.argmax(dim=-1)
            steps.append(token)
        rows = torch.cat(steps, dim=1).tolist()
        return [r[: r.index(eos) + 1] if eos in r else r for r in rows]
