"""Teacher forcing one step at a time; greedy for each sample alone."""

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
        steps = []
        for column in shift_right(targets, bos).split(1, dim=1):
            logits, state = self.decode(column, state)
            steps.append(logits)
        return torch.cat(steps, dim=1)

    @torch.no_grad()
    def greedy(self, source, lengths, bos, eos, max_len):
        rows = []
        for i in range(len(source)):
            state = self.encode(source[i : i + 1], lengths[i : i + 1])
            row = [bos]
            while len(row) <= max_len and (len(row) == 1 or row[-1] != eos):
                logits, state = self.decode(torch.tensor([[row[-1]]]), state)
                row.append(int(logits[0, 0].argmax()))
            rows.append(row[1:])
        return rows
