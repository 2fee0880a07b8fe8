"""The loss as a masked mean of log-probabilities, greedy on the whole batch."""

import torch
from torch import nn
from torch.nn.utils import rnn


def shift_right(targets, bos):
    shifted = targets.clone()
    shifted[:, 1:] = targets[:, :-1]
    shifted[:, 0] = bos
    return shifted


def sequence_loss(logits, targets, pad):
    real = targets != pad
    log_probs = logits[real].log_softmax(-1)
    return -log_probs.gather(1, targets[real][:, None]).mean()


class Seq2Seq(nn.Module):
    def __init__(self, vocab_size, embed_dim, hidden):
        super().__init__()
        self.embed = nn.Embedding(vocab_size, embed_dim)
        self.encoder = nn.GRU(embed_dim, hidden, batch_first=True)
        self.decoder = nn.GRU(embed_dim, hidden, batch_first=True)
        self.out = nn.Linear(hidden, vocab_size)

    def encode(self, source, lengths):
        rows = [self.embed(row[:n]) for row, n in zip(source, lengths)]
        return self.encoder(rnn.pack_sequence(rows, enforce_sorted=False))[1]

    def decode(self, inputs, state):
        output, state = self.decoder(self.embed(inputs), state)
        return self.out(output), state

    def forward(self, source, lengths, targets, bos):
        state = self.encode(source, lengths)
        return self.decode(shift_right(targets, bos), state)[0]

    def greedy(self, source, lengths, bos, eos, max_len):
        state = self.encode(source, lengths)
        last = source.new_full((len(source), 1), bos)
        columns = []
        for _ in range(max_len):
            logits, state = self.decode(last, state)
            last = logits.argmax(-1)
            columns.append(last)
        rows = torch.cat(columns, 1).tolist()
        return [r[: r.index(eos) + 1] if eos in r else r for r in rows]
