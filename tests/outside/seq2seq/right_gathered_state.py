"""No packing: a one-way GRU's output at each last real step is its state there."""

import torch
import torch.nn.functional as F
from torch import nn


def shift_right(targets, bos):
    shifted = targets.roll(1, dims=1)
    shifted[:, 0] = bos
    return shifted


def sequence_loss(logits, targets, pad):
    real = targets != pad
    return F.cross_entropy(logits[real], targets[real])


class Seq2Seq(nn.Module):
    def __init__(self, vocab_size, embed_dim, hidden):
        super().__init__()
        self.embed = nn.Embedding(vocab_size, embed_dim)
        self.encoder = nn.GRU(embed_dim, hidden, batch_first=True)
        self.decoder = nn.GRU(embed_dim, hidden, batch_first=True)
        self.out = nn.Linear(hidden, vocab_size)

    def encode(self, source, lengths):
        output, _ = self.encoder(self.embed(source))
        last = (lengths - 1).view(-1, 1, 1).expand(-1, 1, output.size(-1))
        return output.gather(1, last).transpose(0, 1).contiguous()

    def decode(self, inputs, state):
        output, state = self.decoder(self.embed(inputs), state)
        return self.out(output), state

    def forward(self, source, lengths, targets, bos):
        return self.decode(shift_right(targets, bos), self.encode(source, lengths))[0]

    @torch.no_grad()
    def greedy(self, source, lengths, bos, eos, max_len):
        state = self.encode(source, lengths)
        token = source.new_full((source.size(0), 1), bos)
        answers = [[] for _ in source]
        open_ = [True] * len(answers)
        while any(open_) and max(map(len, answers)) < max_len:
            logits, state = self.decode(token, state)
            token = logits[:, -1:].max(dim=-1).indices
            for b, chosen in enumerate(token.flatten().tolist()):
                if open_[b]:
                    answers[b].append(chosen)
                    open_[b] = chosen != eos
        return answers
