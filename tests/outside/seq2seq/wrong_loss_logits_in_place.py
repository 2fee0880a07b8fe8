"""Writes into the caller's logits."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence


def shift_right(targets, bos):
    first = torch.full_like(targets[:, :1], bos)
    return torch.cat([first, targets[:, :-1]], 1)


def sequence_loss(logits, targets, pad):
    with torch.no_grad():
        logits[targets == pad] = 0
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=pad)


class Seq2Seq(nn.Module):
    def __init__(self, vocab_size, embed_dim, hidden):
        super().__init__()
        self.embed = nn.Embedding(vocab_size, embed_dim)
        self.encoder = nn.GRU(embed_dim, hidden, batch_first=True)
        self.decoder = nn.GRU(embed_dim, hidden, batch_first=True)
        self.out = nn.Linear(hidden, vocab_size)

    def encode(self, source, lengths):
        # encode
        packed = pack_padded_sequence(
            self.embed(source), lengths.cpu(), batch_first=True, enforce_sorted=False
        )
        _, state = self.encoder(packed)
        return state

    def decode(self, inputs, state):
        output, state = self.decoder(self.embed(inputs), state)
        return self.out(output), state

    def forward(self, source, lengths, targets, bos):
        # forward
        return self.decode(shift_right(targets, bos), self.encode(source, lengths))[0]

    @torch.no_grad()
    def greedy(self, source, lengths, bos, eos, max_len):
        # greedy
        state = self.encode(source, lengths)
        token = torch.full((len(source), 1), bos)
        columns = []
        for _ in range(max_len):
            logits, state = self.decode(token, state)
            token = logits.argmax(-1)
            columns.append(token)
        rows = []
        for ids in torch.cat(columns, 1).tolist():
            # row
            rows.append(ids[: ids.index(eos) + 1] if eos in ids else ids)
        return rows
