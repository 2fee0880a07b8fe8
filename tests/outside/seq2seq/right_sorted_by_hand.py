"""中文命名；自己按长度排序、打包，再把状态排回原来的顺序。"""

import itertools

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence


def shift_right(targets, bos):
    开头 = targets.new_tensor([bos]).repeat(targets.size(0), 1)
    return torch.hstack([开头, targets])[:, : targets.size(1)]


def sequence_loss(logits, targets, pad):
    损失 = nn.CrossEntropyLoss(ignore_index=pad, reduction="sum")
    个数 = (targets != pad).sum()
    return 损失(logits.reshape(-1, logits.size(-1)), targets.reshape(-1)) / 个数


class Seq2Seq(nn.Module):
    def __init__(self, vocab_size, embed_dim, hidden):
        super().__init__()
        self.embed = nn.Embedding(vocab_size, embed_dim)
        self.encoder = nn.GRU(embed_dim, hidden, batch_first=True)
        self.decoder = nn.GRU(embed_dim, hidden, batch_first=True)
        self.out = nn.Linear(hidden, vocab_size)

    def encode(self, source, lengths):
        长度, 次序 = torch.sort(lengths, descending=True)
        包 = pack_padded_sequence(self.embed(source[次序]), 长度.cpu(), batch_first=True)
        _, 状态 = self.encoder(包)
        return 状态[:, torch.argsort(次序)]

    def decode(self, inputs, state):
        输出, 新状态 = self.decoder(self.embed(inputs), state)
        return self.out(输出), 新状态

    def forward(self, source, lengths, targets, bos):
        结果, _ = self.decode(shift_right(targets, bos), self.encode(source, lengths))
        return 结果

    def _逐步(self, 状态, 词):
        while True:
            分数, 状态 = self.decode(词, 状态)
            词 = 分数.argmax(dim=2)
            yield 词.squeeze(1).tolist()

    @torch.no_grad()
    def greedy(self, source, lengths, bos, eos, max_len):
        状态 = self.encode(source, lengths)
        起始 = torch.tensor([[bos]] * source.shape[0])
        列 = list(itertools.islice(self._逐步(状态, 起始), max_len))
        答案 = []
        for 行 in map(list, zip(*列, strict=True)):
            答案.append(行[: 行.index(eos) + 1] if eos in 行 else 行)
        return 答案
