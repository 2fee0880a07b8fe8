"""中文命名；自己排序再打包；损失存成张量，最后一起取数。"""

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence


def adding_batch(n, min_len, max_len):
    lengths = torch.randint(min_len, max_len + 1, (n,))
    x = torch.zeros(n, max_len, 2)
    real = torch.arange(max_len) < lengths.unsqueeze(1)
    x[..., 0] = torch.rand(n, max_len) * real
    half = lengths // 2
    first = (torch.rand(n) * half).long()
    second = half + (torch.rand(n) * (lengths - half)).long()
    rows = torch.arange(n)
    x[rows, first, 1] = 1.0
    x[rows, second, 1] = 1.0
    return x, lengths, (x[..., 0] * x[..., 1]).sum(1)


class Adder(nn.Module):
    def __init__(self, kind, hidden, forget_bias=None, packed=True):
        super().__init__()
        self.packed = packed
        self.rnn = getattr(nn, kind)(2, hidden, batch_first=True)
        self.head = nn.Linear(hidden, 1)
        if forget_bias is not None:
            with torch.no_grad():
                self.rnn.bias_ih_l0[hidden : 2 * hidden] = forget_bias
                self.rnn.bias_hh_l0[hidden : 2 * hidden] = 0.0

    def forward(self, x, lengths):
        次序 = torch.argsort(lengths, descending=True)
        输入 = x[次序]
        if self.packed:
            输入 = pack_padded_sequence(输入, lengths[次序], batch_first=True)
        状态 = self.rnn(输入)[1]
        状态 = 状态[0] if type(self.rnn) is nn.LSTM else 状态
        排好 = self.head(状态[0])[:, 0]
        return 排好[torch.argsort(次序)]


def adding_loss(answers, targets):
    if answers.shape != targets.shape:
        raise ValueError(f"{tuple(answers.shape)} and {tuple(targets.shape)}")
    return ((answers - targets) ** 2).mean()


def train(model, optimizer, batches, steps, max_norm=1.0, report=None, every=25):
    记录 = []
    for 步 in range(steps):
        x, 长度, 目标 = next(batches)
        损失 = adding_loss(model(x, 长度), 目标)
        model.zero_grad()
        损失.backward()
        torch.nn.utils.clip_grad_norm_(list(model.parameters()), max_norm)
        optimizer.step()
        记录.append(损失.detach())
        if (步 + 1) % every == 0 and report:
            report(步 + 1, steps, float(损失))
    return torch.stack(记录).tolist() if 记录 else []
