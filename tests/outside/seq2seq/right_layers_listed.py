"""The given layers stand in a ModuleList as well, and the steps of a source in a buffer."""
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence


def shift_right(targets, bos):
    return F.pad(targets, (1, 0), value=bos)[:, :-1]


def sequence_loss(logits, targets, pad):
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=pad)


class Seq2Seq(nn.Module):
    def __init__(self, vocab_size, embed_dim, hidden):
        super().__init__()
        self.embed = nn.Embedding(vocab_size, embed_dim)
        self.encoder = nn.GRU(embed_dim, hidden, batch_first=True)
        self.decoder = nn.GRU(embed_dim, hidden, batch_first=True)
        self.out = nn.Linear(hidden, vocab_size)
        self.networks = nn.ModuleList([self.encoder, self.decoder])
        self.register_buffer("calls", torch.zeros((), dtype=torch.long))

    def encode(self, source, lengths):
        self.calls += 1
        x = pack_padded_sequence(self.embed(source), lengths, True, False)
        return self.networks[0](x)[1]

    def decode(self, inputs, state):
        hidden, state = self.networks[1](self.embed(inputs), state)
        return self.out(hidden), state

    def forward(self, source, lengths, targets, bos):
        return self.decode(shift_right(targets, bos), self.encode(source, lengths))[0]

    @torch.no_grad()
    def greedy(self, source, lengths, bos, eos, max_len):
        state, rows = self.encode(source, lengths), [[] for _ in source]
        token = torch.full((len(source), 1), bos)
        for _ in range(max_len):
            logits, state = self.decode(token, state)
            token = logits.argmax(-1)
            for row, (t,) in zip(rows, token.tolist()):
                if eos not in row:
                    row.append(t)
        return rows
