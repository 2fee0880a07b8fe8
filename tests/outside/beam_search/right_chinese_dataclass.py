"""中文数据类，可比较大小；greedy 自己走一遍表。"""

from dataclasses import dataclass
from functools import total_ordering
from math import inf


@total_ordering
@dataclass(eq=False)
class 候选:
    编号: list
    对数概率: float

    def __lt__(self, 另一个):
        if self.对数概率 != 另一个.对数概率:
            return self.对数概率 > 另一个.对数概率
        return self.编号 < 另一个.编号

    def __eq__(self, 另一个):
        return (self.编号, self.对数概率) == (另一个.编号, 另一个.对数概率)

    def 延长(self, 行):
        for 词, 值 in enumerate(行):
            if float(值) != -inf:
                yield 候选(self.编号 + [词], self.对数概率 + float(值))


def greedy_search(log_probs, bos, eos):
    结果 = [bos]
    for 表 in log_probs:
        if len(结果) > 1 and 结果[-1] == eos:
            break
        行 = 表[结果[-1]].tolist()
        结果.append(max(range(len(行)), key=lambda 词: (行[词], -词)))
    return 结果[1:]


def length_score(log_prob, length, alpha):
    return log_prob / pow(length, alpha)


def beam_search(log_probs, width, bos, eos, alpha=0.0):
    if width < 1:
        raise ValueError("束宽至少为 1")
    束, 完成 = [候选([], 0.0)], []
    for 表 in log_probs:
        全部 = []
        for 前缀 in 束:
            全部.extend(前缀.延长(表[前缀.编号[-1] if 前缀.编号 else bos]))
        全部 = sorted(全部)[:width]
        完成 += [个 for 个 in 全部 if 个.编号[-1] == eos]
        束 = [个 for 个 in 全部 if 个.编号[-1] != eos]
    终 = [
        候选(个.编号, length_score(个.对数概率, len(个.编号), alpha)) for 个 in 完成 + 束
    ]
    return [(个.编号, 个.对数概率) for 个 in sorted(终)[:width]]
