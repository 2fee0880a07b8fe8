"""The GRU runs step by step; a sample that has ended keeps its state."""

import torch
import torch.nn.functional as F
from torch import nn


def shift_right(targets, bos):
    return F.pad(targets, (1, 0), value=bos)[:, :-1]


def sequence_loss(logits, targets, pad):
    weight = (targets != pad).to(logits.dtype)
    truth = F.one_hot(targets, logits.size(-1)).to(logits.dtype)
    each = -(truth * torch.log_softmax(logits, dim=-1)).sum(dim=-1)
    return (each * weight).sum() / weight.sum()


class Seq2Seq(nn.Module):
    def __init__(self, vocab_size, embed_dim, hidden):
        super().__init__()
        self.embed = nn.Embedding(vocab_size, embed_dim)
        self.encoder = nn.GRU(embed_dim, hidden, batch_first=True)
        self.decoder = nn.GRU(embed_dim, hidden, batch_first=True)
        self.out = nn.Linear(hidden, vocab_size)

    def encode(self, source, lengths):
        x = self.embed(source)
        state = x.new_zeros(1, source.size(0), self.encoder.hidden_size)
        for t in range(source.size(1)):
            _, after = self.encoder(x[:, t : t + 1], state)
            going = (t < lengths).view(1, -1, 1)
            state = torch.where(going, after, state)
        return state

    def decode(self, inputs, state):
        logits = []
        for token in inputs.unbind(dim=1):
            output, state = self.decoder(self.embed(token).unsqueeze(1), state)
            logits.append(self.out(output.squeeze(1)))
        return torch.stack(logits, dim=1), state

    def forward(self, source, lengths, targets, bos):
        state = self.encode(source, lengths)
        return self.decode(shift_right(targets, bos), state)[0]

    @torch.no_grad()
    def greedy(self, source, lengths, bos, eos, max_len):
        state = self.encode(source, lengths)
        written = torch.full((source.size(0), 1), bos, dtype=torch.long)
        ended = torch.zeros(source.size(0), dtype=torch.bool)
        for _ in range(max_len):
            logits, state = self.decode(written[:, -1:], state)
            chosen = torch.where(ended, eos, logits[:, 0].argmax(dim=-1))
            written = torch.cat([written, chosen.unsqueeze(1)], dim=1)
            ended |= chosen == eos
            if ended.all():
                break
        answers = []
        for row in written[:, 1:]:
            at = (row == eos).nonzero()
            answers.append(row[: at[0, 0] + 1].tolist() if len(at) else row.tolist())
        return answers
