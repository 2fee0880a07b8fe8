"""Leaves EOS out of the rows."""

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence


def shift_right(targets, bos):
    start = torch.full((targets.shape[0], 1), bos)
    return torch.cat([start, targets[:, :-1]], dim=1)


def sequence_loss(logits, targets, pad):
    criterion = nn.CrossEntropyLoss(ignore_index=pad)
    return criterion(logits.transpose(1, 2), targets)


class Seq2Seq(nn.Module):
    def __init__(self, vocab_size, embed_dim, hidden):
        super().__init__()
        self.embed = nn.Embedding(vocab_size, embed_dim)
        self.encoder = nn.GRU(embed_dim, hidden, batch_first=True)
        self.decoder = nn.GRU(embed_dim, hidden, batch_first=True)
        self.out = nn.Linear(hidden, vocab_size)

    def encode(self, source, lengths):
        x = self.embed(source)
        packed = pack_padded_sequence(
            x, lengths, batch_first=True, enforce_sorted=False
        )
        _, state = self.encoder(packed)
        return state

    def decode(self, inputs, state):
        output, state = self.decoder(self.embed(inputs), state)
        return self.out(output), state

    def forward(self, source, lengths, targets, bos):
        state = self.encode(source, lengths)
        logits, _ = self.decode(shift_right(targets, bos), state)
        return logits

    @torch.no_grad()
    def greedy(self, source, lengths, bos, eos, max_len):
        state = self.encode(source, lengths)
        token = torch.full((len(source), 1), bos)
        rows = [[] for _ in range(len(source))]
        for _ in range(max_len):
            logits, state = self.decode(token, state)
            token = logits.argmax(dim=2)
            for row, choice in zip(rows, token[:, 0].tolist()):
                if not row or row[-1] != eos:
                    row.append(choice)
        return [[t for t in row if t != eos] for row in rows]
