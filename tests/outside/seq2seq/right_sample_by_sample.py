"""Each sample is encoded and decoded alone, without its padding."""

import torch
from torch import nn


def shift_right(targets, bos):
    out = torch.empty_like(targets)
    out[:, 0], out[:, 1:] = bos, targets[:, :-1]
    return out


def sequence_loss(logits, targets, pad):
    log_p = logits.log_softmax(-1)
    picked = [
        log_p[b, t, token]
        for b, row in enumerate(targets.tolist())
        for t, token in enumerate(row)
        if token != pad
    ]
    return -torch.stack(picked).mean()


class Seq2Seq(nn.Module):
    def __init__(self, vocab_size, embed_dim, hidden):
        super().__init__()
        self.embed = nn.Embedding(vocab_size, embed_dim)
        self.encoder = nn.GRU(embed_dim, hidden, batch_first=True)
        self.decoder = nn.GRU(embed_dim, hidden, batch_first=True)
        self.out = nn.Linear(hidden, vocab_size)

    def encode(self, source, lengths):
        states = []
        for row, n in zip(source, lengths.tolist(), strict=True):
            _, h = self.encoder(self.embed(row[:n]).unsqueeze(0))
            states.append(h)
        return torch.cat(states, dim=1)

    def decode(self, inputs, state):
        hidden, end = self.decoder(self.embed(inputs), state)
        return self.out(hidden), end

    def forward(self, source, lengths, targets, bos):
        fed = shift_right(targets, bos)
        logits, _ = self.decode(fed, self.encode(source, lengths))
        return logits

    @torch.no_grad()
    def greedy(self, source, lengths, bos, eos, max_len):
        def write(token, state, left):
            if left == 0:
                return []
            logits, state = self.decode(torch.tensor([[token]]), state)
            chosen = int(logits.argmax())
            if chosen == eos:
                return [chosen]
            return [chosen, *write(chosen, state, left - 1)]

        states = self.encode(source, lengths)
        return [write(bos, states[:, b : b + 1], max_len) for b in range(len(source))]
